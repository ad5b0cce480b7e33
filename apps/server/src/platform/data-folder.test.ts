import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { acquireLock } from '@pult/files';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inDataFolder } from './data-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pult-data-'));
  await writeFile(join(folder, 'file'), '');
  await symlink(join(folder, 'nowhere'), join(folder, 'dangling'));
  await symlink(join(folder, 'loop'), join(folder, 'loop'));
});
afterAll(() => rm(folder, { recursive: true }));

/** As a server that starts. */
const open = (path: string) => inDataFolder(path, () => acquireLock(join(path, 'server.lock')));

it.each(['file', 'file/below', 'file/far/below'])('a data folder at %s is said to be none', async (name) => {
  const path = join(folder, name);
  const sentence = `The data folder ${path} is a file or lies below one, and has to be a folder: mend that, or set DATA_DIR to another one.`;
  await expect(open(path)).rejects.toThrow(new Error(sentence));
});

it.each([
  // Where Node's own way to make folders never ends.
  ['/proc/pult/data', 'is not there, and cannot be made there'],
  ['dangling', 'is not there, and cannot be made there'],
  ['loop', 'is a link that leads in a circle'],
  ['a'.repeat(300), 'has a name that is too long'],
])('a data folder at %s is told in a sentence', async (name, reason) => {
  const path = resolve(folder, name);
  const sentence = `The data folder ${path} ${reason}: mend that, or set DATA_DIR to another one.`;
  await expect(open(path)).rejects.toThrow(new Error(sentence));
});

it('a data folder is made with what is above it, for its owner alone', async () => {
  const path = join(folder, 'far', 'below');
  await (await open(path)).release();
  expect((await stat(path)).mode & 0o777).toBe(0o700);
});

it.each([
  ['EROFS', 'lies on a file system that is mounted read-only'],
  ['EACCES', 'may not be written to by the user who runs this'],
  ['EPERM', 'may not be written to by the user who runs this'],
  ['ENOSPC', 'lies on a disk that is full'],
  ['EDQUOT', 'lies on a disk that is full'],
  ['EIO', 'lies on a disk that does not answer'],
])(
  'a data folder of which the system says %s is told in a sentence, without that word',
  async (code, reason) => {
    const refused = Object.assign(new Error(`${code}: no, open '${folder}'`), { code });
    const told = inDataFolder(folder, () => Promise.reject(refused));
    const sentence = `The data folder ${folder} ${reason}: mend that, or set DATA_DIR to another one.`;
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
