import { defineConfig } from 'vitest/config';
import { TestOrder } from './tools/suite/test-order.ts';

/** Starts the one database that all test files share. */
const database = './packages/testkit/src/vitest-database.ts';
const workerLog = './tools/suite/log-vitest-worker.ts';
const propertyRuns = './tools/suite/property-runs.ts';
const consoleTests = 'apps/console/src/**/*.test.{ts,tsx}';

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share their worker's modules: loading them anew took more of the processor than the tests.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // As long as it takes on a busy machine; the default is a second.
    expect: { poll: { timeout: 15_000 } },
    teardownTimeout: 20_000,
    retry: 0,
    sequence: { sequencer: TestOrder },
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          // `npm run test:release` runs it, a folder at a time.
          name: 'release',
          environment: 'node',
          maxWorkers: 4,
          include: ['tests/release/**/*.test.ts'],
          globalSetup: database,
          setupFiles: workerLog,
        },
      },
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          // Two files a core: they wait for the database, for processes and for time. Those of apps and packages took 276 s, not 338 s.
          maxWorkers: 4,
          sequence: { groupOrder: 0 },
          include: [
            '{apps,packages}/*/src/**/*.test.ts',
            'tests/interop/**/*.test.ts',
            '{bench,tools}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', consoleTests],
          globalSetup: database,
          setupFiles: [workerLog, propertyRuns],
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          environment: 'happy-dom',
          // These compute all the time.
          maxWorkers: '100%',
          sequence: { groupOrder: 1 },
          include: [consoleTests],
          setupFiles: [workerLog, 'apps/console/src/features/testing/each-file.ts'],
        },
      },
    ],
  },
});
