import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStamp, requireWritable, writeStamp } from './build-stamps.mjs';
import { PlainError } from './terminal.mjs';

let folder: string;
/** Nobody can write into it, not even root. */
let shut: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pult-stamps-'));
  shut = join(folder, 'file');
  writeFileSync(shut, '');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a stamp is read as it was written', () => {
  const stamp = { output: 7, hash: 'a', times: 'b' };
  expect(readStamp(folder, 'server')).toEqual({});
  writeStamp(folder, 'server', stamp);
  expect(readStamp(folder, 'server')).toEqual(stamp);
});

test('a project that cannot be written to is no obstacle where nothing has to be built', () => {
  writeStamp(shut, 'server', { output: 7 });
  expect(readStamp(shut, 'server')).toEqual({});
});

test('a project that cannot be written to is named in one sentence where something has to be built', () => {
  expect(() => requireWritable(folder)).not.toThrow();
  const refused = () => requireWritable(shut);
  expect(refused).toThrow(PlainError);
  expect(refused).toThrow(new RegExp(`^Pult has to be built, and ${shut} cannot be written to: [^\\n]+\\.$`));
});
