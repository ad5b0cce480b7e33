import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Starts the one database that all test files share. */
const database = './packages/testkit/src/vitest-database.ts';
const consoleTests = 'apps/console/src/**/*.test.{ts,tsx}';

export default defineConfig({
  test: {
    pool: 'forks',
    // Files share their worker's modules: loading them anew took more of the processor than the tests.
    isolate: false,
    // More files at once than cores took as long, and tests waited for each other: 11 min 40 s on two cores with three.
    maxWorkers: '100%',
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
