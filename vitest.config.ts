import { existsSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

/** Starts the one database that all test files share. */
const database = './packages/testkit/src/vitest-database.ts';

export default defineConfig({
  test: {
    // A console test that draws chooses happy-dom by a comment in its first line.
    environment: 'node',
    include: [
      '{apps,packages}/*/src/**/*.test.{ts,tsx}',
      'tests/interop/**/*.test.ts',
      'tools/**/*.test.mjs',
    ],
    globalSetup: existsSync(new URL(database, import.meta.url)) ? [database] : [],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 20_000,
    retry: 0,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
