import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLock } from '@pult/files';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inDataFolder } from './data-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pult-data-'));
  await writeFile(join(folder, 'file'), '');
});
afterAll(() => rm(folder, { recursive: true }));

/** As a server that starts. */
const open = (path: string) =>
  inDataFolder(path, async () => {
    await mkdir(path, { recursive: true });
    return acquireLock(join(path, 'server.lock'));
  });

it.each(['file', 'file/below', 'file/far/below'])('a data folder at %s is said to be none', async (name) => {
  const path = join(folder, name);
  const sentence = `The data folder ${path} is a file or lies below one, and has to be a folder: mend that, or set DATA_DIR to another one.`;
  await expect(open(path)).rejects.toThrow(new Error(sentence));
});

it.each([
  ['EROFS', 'lies on a file system that is mounted read-only'],
  ['EACCES', 'may not be written to by the user who runs this'],
  ['EPERM', 'may not be written to by the user who runs this'],
  ['ENOSPC', 'lies on a disk that is full'],
])(
  'a data folder of which the system says %s is told in a sentence, without that word',
  async (code, reason) => {
    const refused = Object.assign(new Error(`${code}: no, mkdir '/srv/pult'`), { code });
    const told = inDataFolder('/srv/pult', () => Promise.reject(refused));
    const sentence = `The data folder /srv/pult ${reason}: mend that, or set DATA_DIR to another one.`;
    await expect(told).rejects.toThrow(new Error(sentence));
  },
);

it('a data folder that another server works with, and anything else that is wrong, keeps its own words', async () => {
  const path = join(folder, 'data');
  const lock = await open(path);
  await expect(open(path)).rejects.toThrow(/Another server .* already works with the folder/);
  await lock.release();
  await expect(inDataFolder(path, () => Promise.reject(new Error('no key')))).rejects.toThrow('no key');
});
