import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';

/** The files of a folder and of those in it, by their paths from there: what is served by a set of names. */
export async function listFiles(directory: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return new Set(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => relative(directory, join(entry.parentPath, entry.name))),
  );
}
