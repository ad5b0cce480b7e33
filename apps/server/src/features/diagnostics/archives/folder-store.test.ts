import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ArchiveStore } from './archive-store.ts';
import { createFolderStore } from './folder-store.ts';

let parent: string;
let folder: string;
let store: ArchiveStore;
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pult-archives-'));
  folder = join(parent, 'archives');
  store = createFolderStore(folder);
});
afterEach(() => rm(parent, { recursive: true }));

const bytes = (...parts: string[]) => Readable.from(parts.map((part) => Buffer.from(part)));

it('keeps what comes, for the server’s user alone, and gives parts of it', async () => {
  await store.save('one', bytes('abc', 'def'));
  expect(await text(await store.read('one'))).toBe('abcdef');
  expect(await text(await store.read('one', { start: 1, end: 3 }))).toBe('bcd');
  expect((await stat(join(folder, 'one'))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  await store.remove('one');
  await store.remove('one');
  expect(await readdir(folder)).toEqual([]);
  await expect(store.read('one')).rejects.toMatchObject({ reason: 'not_found' });
});

it('keeps nothing of what fails on the way', async () => {
  async function* failing() {
    yield Buffer.from('abc');
    throw new Error('cut');
  }
  await expect(store.save('one', Readable.from(failing()))).rejects.toThrow('cut');
  expect(await readdir(folder)).toEqual([]);
});

it('keeps nothing when the disk is full', async () => {
  await store.save('other', bytes('kept'));
  // Every write to it fails as on a full disk.
  await symlink('/dev/full', join(folder, 'one.part'));
  await expect(store.save('one', bytes('abc'))).rejects.toMatchObject({ reason: 'disk_full' });
  expect(await readdir(folder)).toEqual(['other']);
});

it('says that it failed where there is no folder to be had', async () => {
  await writeFile(folder, 'in the way');
  await expect(store.save('one', bytes('abc'))).rejects.toMatchObject({ reason: 'failed' });
});

it('writes over what a killed server has left', async () => {
  await store.save('other', bytes('x'));
  await writeFile(join(folder, 'one.part'), 'much longer than what comes');
  await store.save('one', bytes('abc'));
  expect(await text(await store.read('one'))).toBe('abc');
});

it.each(['../one', 'a/b', '', 'One', '.', 'a.part'])('takes no other name than its own: %s', async (name) => {
  await expect(store.save(name, bytes('abc'))).rejects.toThrow(TypeError);
  await expect(store.read(name)).rejects.toThrow(TypeError);
  await expect(store.remove(name)).rejects.toThrow(TypeError);
});
