import { expect, test } from 'vitest';
import { findSlowest, listTestResults } from './results.ts';

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
            {
              file: 'map.spec.ts',
              title: 'shows places',
              ok: true,
              tests: [{ results: [{ duration: 50 }] }],
            },
            {
              file: 'map.spec.ts',
              title: 'moves places',
              ok: true,
              tests: [{ results: [{ duration: 70 }] }],
            },
          ],
        },
      ],
    },
  ],
};

test('the slowest tests of both runners come first, the slowest files with the sum of their tests', () => {
  const results = listTestResults({ vitest, playwright, root: '/pult' });
  expect(results).toHaveLength(4);
  expect(findSlowest(results, 2)).toEqual({
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
  expect(findSlowest(listTestResults({ root: '/pult' }))).toEqual({ files: [], tests: [] });
});

test('a failed test of either runner says what it said itself, and so does what failed outside of a test', () => {
  const failed = [
    { fullName: 'a refuses', status: 'failed', duration: 20, failureMessages: ['expected 1 to be 2'] },
  ];
  const specs = [
    {
      file: 'b.spec.ts',
      title: 'b',
      ok: false,
      tests: [{ results: [{ duration: 5, errors: [{ message: 'no title' }] }] }],
    },
  ];
  const results = listTestResults({
    vitest: {
      testResults: [
        { name: '/pult/a.test.ts', status: 'failed', assertionResults: failed },
        { name: '/pult/c.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
      unhandledErrors: ['Error: a timer threw'],
    },
    playwright: { ...playwright, suites: [{ title: 'b.spec.ts', specs }] },
    root: '/pult',
  });
  expect(results).toEqual([
    { file: '', title: '', milliseconds: 0, failure: 'Error: a timer threw' },
    { file: 'a.test.ts', title: 'a refuses', milliseconds: 20, failure: 'expected 1 to be 2' },
    { file: 'c.test.ts', title: '', milliseconds: 0, failure: 'no such module' },
    { file: 'tests/e2e/b.spec.ts', title: 'b', milliseconds: 5, failure: 'no title' },
  ]);
});
