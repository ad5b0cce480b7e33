import { expect, test } from 'vitest';
import { findSecondRun } from './flakes.ts';
import { compareMinutes } from './minutes.ts';
import type { TestResult } from './results.ts';
import { listNeighbours, parseWorkerLog } from './worker-log.ts';

const failedIn = (...files: string[]): TestResult[] =>
  files.map((file) => ({ file, title: 'a test', milliseconds: 1, failure: 'expected 1 to be 2' }));

test('a second run has each file that failed once, up to three', () => {
  expect(findSecondRun(failedIn('a.test.ts', 'b.test.ts', 'a.test.ts'))).toEqual({
    files: ['a.test.ts', 'b.test.ts'],
  });
  expect(findSecondRun(failedIn('1.test.ts', '2.test.ts', '3.test.ts'))).toHaveProperty('files');
  expect(findSecondRun(failedIn('1.test.ts', '2.test.ts', '3.test.ts', '4.test.ts'))).toHaveProperty(
    'reason',
  );
});

test.each([
  ['an error outside of every test', ''],
  ['the access matrix', 'apps/server/src/access-matrix.parts.test.ts'],
  ['bad input', 'apps/server/src/bad-input.test.ts'],
  ['hostile texts', 'tools/checks/hostile-texts.test.ts'],
  ['access to tunnels', 'tests/interop/tunnel-access.test.ts'],
])('a second run is refused where %s failed', (_, file) => {
  expect(findSecondRun(failedIn('a.test.ts', file))).toHaveProperty('reason');
});

test('the log of workers names what runs, and what ran in the same worker before a file', () => {
  const files = parseWorkerLog(
    [
      '7\tbegins\t/a.test.ts',
      '8\tbegins\t/other.test.ts',
      '7\tends\t/a.test.ts',
      '7\tbegins\t/b.test.ts',
      '8\tends\t/other.test.ts',
      '',
    ].join('\n'),
  );
  expect(files.filter(({ isRunning }) => isRunning).map(({ file }) => file)).toEqual(['/b.test.ts']);
  expect(listNeighbours(files, '/b.test.ts')).toEqual(['/a.test.ts']);
  expect(listNeighbours(files, '/unknown.test.ts')).toEqual([]);
});

test('a part that takes more than five percent longer than on main is marked', () => {
  expect(compareMinutes(10.4, 10)).toEqual({ text: 'main 10.0 min', isSlower: false });
  expect(compareMinutes(12, 10)).toEqual({ text: 'main 10.0 min, 20 % slower', isSlower: true });
  expect(compareMinutes(12, undefined)).toEqual({ text: 'new', isSlower: false });
});
