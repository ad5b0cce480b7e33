import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LogFile } from './log-file.mjs';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pult-log-'));
  path = join(folder, 'new', 'start.log');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a plain line gets its time and source, an entry of the server stays as it is', () => {
  const log = new LogFile(path);
  log.write('agent', 'link: connected');
  log.write('server', '{"level":30}');
  expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z agent: link: connected\n\{"level":30\}\n$/);
});

test('a new run keeps the file of the one before', () => {
  new LogFile(path).write('server', '{"run":1}');
  new LogFile(path).write('server', '{"run":2}');
  expect(readFileSync(path, 'utf8')).toBe('{"run":2}\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('{"run":1}\n');
});

test('the log of a long run stays below twice its limit', () => {
  const log = new LogFile(path, { limit: 100 });
  for (let line = 10; line < 40; line += 1) log.write('server', `{"line":${line}}`);
  expect(readFileSync(path, 'utf8')).toMatch(/\{"line":39\}\n$/);
  expect(readFileSync(path).length).toBeLessThanOrEqual(100);
  expect(readFileSync(`${path}.1`).length).toBeLessThanOrEqual(100);
});
