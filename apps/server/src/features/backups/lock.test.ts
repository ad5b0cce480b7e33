import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockBackups } from './lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pult-backup-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

it('a second backup of a data folder is refused, and one that waits has its turn', async () => {
  const first = await lockBackups(folder);
  const waiting = lockBackups(folder, { untilFree: new AbortController().signal });
  await expect(lockBackups(folder)).rejects.toThrow('A backup is being made or verified already');
  await first.release();
  await (await waiting).release();
});

it('a backup that waits for another one ends when it is told to', async () => {
  const first = await lockBackups(folder);
  const stopping = new AbortController();
  const waiting = lockBackups(folder, { untilFree: stopping.signal });
  stopping.abort(new Error('the server stops'));
  await expect(waiting).rejects.toThrow('the server stops');
  await first.release();
  await (await lockBackups(folder)).release();
});
