import { describe, expect, test } from 'vitest';
import { countEndToEndTests, type PlaywrightReport } from '../e2e.ts';
import { countUnitTests, type VitestReport } from './unit-tests.ts';

describe('counts of Vitest', () => {
  const report = (counts: Partial<VitestReport>): VitestReport => ({
    numPassedTests: 0,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [],
    ...counts,
  });

  test('counts of Vitest are what it reports', () => {
    const result = report({ numPassedTests: 3, numFailedTests: 1, numPendingTests: 1, numTodoTests: 1 });
    expect(countUnitTests(1, result)).toEqual({ passed: 3, failed: 1, skipped: 2 });
    expect(countUnitTests(0, report({ numPassedTests: 3 }))).toEqual({ passed: 3, failed: 0, skipped: 0 });
  });

  test('counts of Vitest have a failure when a file could not be loaded', () => {
    const testResults = [{ name: 'x.test.ts', status: 'failed', assertionResults: [] }];
    expect(countUnitTests(1, report({ numPassedTests: 3, testResults })).failed).toBe(1);
  });

  test.each([
    ['left no report', 1, undefined],
    ['failed with every test passed', 1, report({ numPassedTests: 3 })],
    ['ran nothing', 0, report({})],
  ])('counts of Vitest have a failure when the runner %s', (_what, code, result) => {
    expect(countUnitTests(code, result).failed).toBe(1);
  });
});

describe('counts of Playwright', () => {
  const report = (stats: Partial<PlaywrightReport['stats']>) => ({
    stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0, ...stats },
  });

  test('counts of Playwright are what it reports, and a test that passed only once repeated has failed', () => {
    expect(countEndToEndTests(0, report({ expected: 5 }))).toEqual({ passed: 5, failed: 0, skipped: 0 });
    expect(countEndToEndTests(1, report({ expected: 5, unexpected: 1, flaky: 1, skipped: 2 }))).toEqual({
      passed: 5,
      failed: 2,
      skipped: 2,
    });
  });

  test.each([
    ['left no report', 1, undefined],
    ['failed with every test passed', 1, report({ expected: 3 })],
    ['ran nothing', 0, report({})],
  ])('counts of Playwright have a failure when the runner %s', (_what, code, result) => {
    expect(countEndToEndTests(code, result).failed).toBe(1);
  });
});
