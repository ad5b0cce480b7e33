/** Where the time of `npm test` goes: the slowest files and tests of the reports of Vitest and Playwright. */

import { relative } from 'node:path';
import type { PlaywrightReport, PlaywrightSuite } from './e2e.ts';
import type { VitestReport } from './unit-tests.ts';

interface Timing {
  /** Seen from the root of the project. */
  file: string;
  title: string;
  milliseconds: number;
}

interface Reports {
  vitest?: Pick<VitestReport, 'testResults'> | undefined;
  playwright?: Omit<PlaywrightReport, 'stats'> | undefined;
  root: string;
}

/**
 * The tests of both reports; one that is missing has none. A file's time is that of its tests: what is prepared for all
 * of them is in neither report.
 */
export function listTimings({ vitest, playwright, root }: Reports): Timing[] {
  const unitTests = (vitest?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(root, name),
      title: fullName.trim(),
      milliseconds: duration ?? 0,
    })),
  );
  if (!playwright) return unitTests;
  const listSpecs = (suite: PlaywrightSuite, titles: string[]): Timing[] => [
    ...(suite.specs ?? []).map(({ file, title, tests }) => ({
      file: relative(root, `${playwright.config.rootDir}/${file}`),
      title: [...titles, title].join(' › '),
      milliseconds: sum(tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    })),
    // The outermost suite is the file itself.
    ...(suite.suites ?? []).flatMap((inner) => listSpecs(inner, [...titles, inner.title])),
  ];
  return [...unitTests, ...playwright.suites.flatMap((suite) => listSpecs(suite, []))];
}

/** The `count` slowest of `listTimings` by file, each with how many tests it has, and test by test. */
export function findSlowest(timings: Timing[], count = 10) {
  const files = new Map<string, { file: string; tests: number; milliseconds: number }>();
  for (const { file, milliseconds } of timings) {
    const known = files.get(file) ?? { file, tests: 0, milliseconds: 0 };
    files.set(file, { file, tests: known.tests + 1, milliseconds: known.milliseconds + milliseconds });
  }
  const slowest = <Row extends { milliseconds: number }>(rows: Iterable<Row>) =>
    [...rows].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, count);
  return { files: slowest(files.values()), tests: slowest(timings) };
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
