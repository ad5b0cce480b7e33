import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

function openLog(options?: { limit: number }): LogFile {
  const log = new LogFile(path, options);
  log.open();
  return log;
}

test('a plain line gets its time and source, an entry of the server stays as it is', () => {
  const log = openLog();
  log.write('agent', 'link: connected');
  log.write('server', '{"level":30}');
  expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z agent: link: connected\n\{"level":30\}\n$/);
});

test('a new run keeps the file of the one before', () => {
  openLog().write('server', '{"run":1}');
  openLog().write('server', '{"run":2}');
  expect(readFileSync(path, 'utf8')).toBe('{"run":2}\n');
  expect(readFileSync(`${path}.1`, 'utf8')).toBe('{"run":1}\n');
});

test('the log of a long run stays below twice its limit', () => {
  const log = openLog({ limit: 100 });
  for (let line = 10; line < 40; line += 1) log.write('server', `{"line":${line}}`);
  expect(readFileSync(path, 'utf8')).toMatch(/\{"line":39\}\n$/);
  expect(readFileSync(path).length).toBeLessThanOrEqual(100);
  expect(readFileSync(`${path}.1`).length).toBeLessThanOrEqual(100);
});

test('the log of another run is left alone until it is known that this one has the folder', () => {
  const running = openLog();
  running.write('server', '{"run":1}');
  const log = new LogFile(path);
  log.write('server', '{"run":2,"line":1}');
  running.write('server', '{"run":1,"line":2}');
  expect(readFileSync(path, 'utf8')).toBe('{"run":1}\n{"run":1,"line":2}\n');
  expect(existsSync(`${path}.1`)).toBe(false);
  log.open();
  log.write('server', '{"run":2,"line":2}');
  expect(readFileSync(path, 'utf8')).toBe('{"run":2,"line":1}\n{"run":2,"line":2}\n');
});

test('a log that cannot be begun says so once, and takes lines without writing them', () => {
  mkdirSync(path, { recursive: true });
  // So that the folder cannot be moved away.
  writeFileSync(`${path}.1`, '');
  const log = new LogFile(path);
  log.write('server', '{"line":1}');
  expect(() => log.open()).toThrow('EISDIR');
  log.write('server', '{"line":2}');
  expect(log.isOpen).toBe(false);
});
