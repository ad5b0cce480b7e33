/** Where the time of `npm test` goes: the slowest files and tests of the reports of Vitest and Playwright. */

import { relative } from 'node:path';

/**
 * The tests of both reports as `{ file, title, milliseconds }`, the file seen from `root`. A report that is missing has
 * none. A file's time is that of its tests: what is prepared for all of them is in neither report.
 * @param {{ vitest?: any, playwright?: any, root: string }} reports as their runners write them
 */
export function listTimings({ vitest, playwright, root }) {
  const unitTests = (vitest?.testResults ?? []).flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      file: relative(root, name),
      title: fullName.trim(),
      milliseconds: duration ?? 0,
    })),
  );
  const specs = (suite, titles) => [
    ...(suite.specs ?? []).map(({ file, title, tests }) => ({
      file: relative(root, `${playwright.config.rootDir}/${file}`),
      title: [...titles, title].join(' › '),
      milliseconds: sum(tests.flatMap(({ results }) => results.map(({ duration }) => duration))),
    })),
    // The outermost suite is the file itself.
    ...(suite.suites ?? []).flatMap((inner) => specs(inner, [...titles, inner.title])),
  ];
  return [...unitTests, ...(playwright?.suites ?? []).flatMap((suite) => specs(suite, []))];
}

/** The `count` slowest of `listTimings` by file, each with how many tests it has, and test by test. */
export function findSlowest(timings, count = 10) {
  const files = new Map();
  for (const { file, milliseconds } of timings) {
    const known = files.get(file) ?? { file, tests: 0, milliseconds: 0 };
    files.set(file, { file, tests: known.tests + 1, milliseconds: known.milliseconds + milliseconds });
  }
  const slowest = (rows) => [...rows].sort((a, b) => b.milliseconds - a.milliseconds).slice(0, count);
  return { files: slowest(files.values()), tests: slowest(timings) };
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
