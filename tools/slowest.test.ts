import { expect, test } from 'vitest';
import { findSlowest, listTimings } from './slowest.ts';

const vitest = {
  testResults: [
    {
      name: '/pult/apps/server/src/a.test.ts',
      status: 'passed',
      assertionResults: [
        { fullName: 'a refuses', status: 'passed', duration: 20 },
        { fullName: 'a was skipped', status: 'skipped' },
      ],
    },
  ],
};
const playwright = {
  config: { rootDir: '/pult/tests/e2e' },
  suites: [
    {
      title: 'map.spec.ts',
      suites: [
        {
          title: 'in Russian',
          specs: [
            { file: 'map.spec.ts', title: 'shows places', tests: [{ results: [{ duration: 50 }] }] },
            { file: 'map.spec.ts', title: 'moves places', tests: [{ results: [{ duration: 70 }] }] },
          ],
        },
      ],
    },
  ],
};

test('the slowest tests of both runners come first, the slowest files with the sum of their tests', () => {
  const timings = listTimings({ vitest, playwright, root: '/pult' });
  expect(timings).toHaveLength(4);
  expect(findSlowest(timings, 2)).toEqual({
    files: [
      { file: 'tests/e2e/map.spec.ts', tests: 2, milliseconds: 120 },
      { file: 'apps/server/src/a.test.ts', tests: 2, milliseconds: 20 },
    ],
    tests: [
      { file: 'tests/e2e/map.spec.ts', title: 'in Russian › moves places', milliseconds: 70 },
      { file: 'tests/e2e/map.spec.ts', title: 'in Russian › shows places', milliseconds: 50 },
    ],
  });
});

test('a run without reports has no slowest tests', () => {
  expect(findSlowest(listTimings({ root: '/pult' }))).toEqual({ files: [], tests: [] });
});
