/** What the reports of Vitest and Playwright say of each test: where the time of `npm test` goes, and what failed. */

import { relative } from 'node:path';
import type { PlaywrightReport, PlaywrightSuite } from '../e2e.ts';
import type { VitestReport } from './unit-tests.ts';

export interface TestResult {
  /** Seen from the root of the project; empty where no file is known. */
  file: string;
  title: string;
  milliseconds: number;
  /** Of a test that failed: what it says of itself, empty where it says nothing. */
  failure?: string;
}

export interface RunnerReports {
  vitest?: (Pick<VitestReport, 'testResults'> & { unhandledErrors?: string[] }) | undefined;
  playwright?: Omit<PlaywrightReport, 'stats'> | undefined;
}

/**
 * The tests of both reports; one that is missing has none. A file's time is that of its tests: what is prepared for all
 * of them is in neither report. A file of Vitest's that failed without a failed test (it could not be loaded, or what it
 * does after them failed) is a failed test without a title, and so is an error that no test has caught.
 */
export function listTestResults({
  vitest,
  playwright,
  root,
}: RunnerReports & { root: string }): TestResult[] {
  const unitTests = (vitest?.testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const isBroken = status === 'failed' && assertionResults.every((test) => test.status !== 'failed');
    const broken = isBroken ? [{ file, title: '', milliseconds: 0, failure: message ?? '' }] : [];
    const tests = assertionResults.map((test) => ({
      file,
      title: test.fullName.trim(),
      milliseconds: test.duration ?? 0,
      ...(test.status === 'failed' ? { failure: (test.failureMessages ?? []).join('\n') } : {}),
    }));
    return [...broken, ...tests];
  });
  const unhandled = (vitest?.unhandledErrors ?? []).map((failure) => ({
    file: '',
    title: '',
    milliseconds: 0,
    failure,
  }));
  const ofVitest = [...unhandled, ...unitTests];
  if (!playwright) return ofVitest;
  const listSpecs = (suite: PlaywrightSuite, titles: string[]): TestResult[] => [
    ...(suite.specs ?? []).map(({ file, title, ok, tests }) => {
      const results = tests.flatMap((test) => test.results);
      const errors = results.flatMap(({ errors = [] }) => errors.map(({ message = '' }) => message));
      return {
        file: relative(root, `${playwright.config.rootDir}/${file}`),
        title: [...titles, title].join(' › '),
        milliseconds: sum(results.map(({ duration }) => duration)),
        ...(ok ? {} : { failure: errors.join('\n') }),
      };
    }),
    // The outermost suite is the file itself.
    ...(suite.suites ?? []).flatMap((inner) => listSpecs(inner, [...titles, inner.title])),
  ];
  return [...ofVitest, ...playwright.suites.flatMap((suite) => listSpecs(suite, []))];
}

/** The `count` slowest of `listTestResults` by file, each with how many tests it has, and test by test. */
export function findSlowest(results: TestResult[], count = 10) {
  const files = new Map<string, { file: string; tests: number; milliseconds: number }>();
  for (const { file, milliseconds } of results) {
    const known = files.get(file) ?? { file, tests: 0, milliseconds: 0 };
    files.set(file, { file, tests: known.tests + 1, milliseconds: known.milliseconds + milliseconds });
  }
  const slowest = <Row extends { milliseconds: number }>(rows: Iterable<Row>) =>
    [...rows].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, count);
  return { files: slowest(files.values()), tests: slowest(results) };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
