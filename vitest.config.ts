import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Starts the one database that all test files share. */
const database = './packages/testkit/src/vitest-database.ts';
const consoleTests = 'apps/console/src/**/*.test.{ts,tsx}';

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share their worker's modules: loading them anew took more of the processor than the tests.
    isolate: false,
    // A third of their time most tests wait for processes and sockets, so there are more files at once than cores.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // As long as it takes on a busy machine; the default is a second.
    expect: { poll: { timeout: 15_000 } },
    teardownTimeout: 20_000,
    retry: 0,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          environment: 'node',
          include: [
            '{apps,packages}/*/src/**/*.test.ts',
            'tests/interop/**/*.test.ts',
            '{bench,tools}/**/*.test.ts',
          ],
          exclude: ['**/node_modules/**', consoleTests],
          globalSetup: existsSync(new URL(database, import.meta.url)) ? [database] : [],
        },
      },
      {
        extends: true,
        test: {
          name: 'console',
          environment: 'happy-dom',
          include: [consoleTests],
          setupFiles: ['apps/console/src/features/testing/each-file.ts'],
        },
      },
    ],
  },
});
