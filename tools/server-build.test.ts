import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer } from '../apps/server/build.mjs';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'pult-server-build-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the server’s build leaves no chunk of an earlier build, and nothing else is touched', async () => {
  await buildServer(folder);
  const made = readdirSync(folder).sort();
  expect(made).toEqual(expect.arrayContaining(['main.js', 'pult.js', 'hashing-thread.js']));
  expect(made.some((name) => name.startsWith('chunk-'))).toBe(true);
  for (const name of ['chunk-OLD12345.js', 'chunk-OLD12345.js.map', 'notes.txt'])
    writeFileSync(join(folder, name), '');
  await buildServer(folder);
  expect(existsSync(join(folder, 'notes.txt'))).toBe(true);
  expect(readdirSync(folder).sort()).toEqual([...made, 'notes.txt'].sort());
});
