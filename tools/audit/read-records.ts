/** The texts of OSV records: JSON files of a folder, or of a zip. */

import { statSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import yauzl from 'yauzl';

export interface RecordText {
  name: string;
  text: string;
}

export function readRecords(path: string): AsyncGenerator<RecordText> {
  return statSync(path).isDirectory() ? readFolder(path) : readZip(path);
}

async function* readFolder(folder: string): AsyncGenerator<RecordText> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.json'));
  for (const name of names.sort()) yield { name, text: await readFile(join(folder, name), 'utf8') };
}

async function* readZip(path: string): AsyncGenerator<RecordText> {
  const zip = await yauzl.openPromise(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith('.json')) continue;
      yield { name: entry.fileName, text: await readText(await zip.openReadStreamPromise(entry)) };
    }
  } finally {
    zip.close();
  }
}
