import { lchown, lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** Gives a path and all below it to the database's user. Links are given, not followed. */
export async function giveTo({ switchTo }: Account, path: string): Promise<void> {
  if (!switchTo) return;
  if ((await lstat(path)).isDirectory()) {
    for (const name of await readdir(path, { recursive: true })) {
      await lchown(join(path, name), switchTo.uid, switchTo.gid);
    }
  }
  await lchown(path, switchTo.uid, switchTo.gid);
}
