import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getPublicKey } from '@pult/link';
import { expect, test } from 'vitest';
import { createTempDir } from '../testing/temp-dir.ts';
import { getDeviceKey, KEY_FILE } from './device-key.ts';
import { openStateDir } from './state-dir.ts';

const silent = () => {};

test('the key is made once and only its owner can read it', () => {
  const state = openStateDir(join(createTempDir(), 'deep/state'));
  const key = getDeviceKey(state, 'machine', silent);
  expect(getPublicKey(getDeviceKey(state, 'machine', silent))).toEqual(getPublicKey(key));
  expect(statSync(join(state.path, KEY_FILE)).mode & 0o777).toBe(0o600);
  expect(statSync(state.path).mode & 0o777).toBe(0o700);
});

test('a copied card gets a new key, and says so', () => {
  const state = openStateDir(createTempDir());
  const lines: string[] = [];
  const key = getDeviceKey(state, 'machine', silent);
  const next = getDeviceKey(state, 'another', (line) => lines.push(line));
  expect(getPublicKey(next)).not.toEqual(getPublicKey(key));
  expect(lines).toHaveLength(1);
});

test('an unknown machine id keeps the key', () => {
  const state = openStateDir(createTempDir());
  const key = getDeviceKey(state, 'machine', silent);
  expect(getPublicKey(getDeviceKey(state, undefined, silent))).toEqual(getPublicKey(key));
});

test.each(['', '{}', 'null', '{"privateKey":"x"}', '{"privateKey":5}'])(
  'a broken file %j is replaced',
  (content) => {
    const state = openStateDir(createTempDir());
    writeFileSync(join(state.path, KEY_FILE), content);
    const key = getDeviceKey(state, 'machine', silent);
    expect(getPublicKey(getDeviceKey(state, 'machine', silent))).toEqual(getPublicKey(key));
  },
);

test('a folder that cannot be one is told plainly', () => {
  const file = join(createTempDir(), 'file');
  writeFileSync(file, '');
  chmodSync(file, 0o600);
  expect(() => openStateDir(file)).toThrow(
    /cannot be used \((EEXIST|ENOTDIR)\); choose another by --state-dir/,
  );
});
