/** The settings of one project of the suite, for the tests of one area. Read in the processes that Stryker starts. */
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';
import { keptWorker } from './kept-worker.ts';

const [name, ...include] = (process.env.MUTATION_TESTS ?? '').split(' ');
const { projects = [], ...shared } = suite.test ?? {};
const project = projects.find(
  (candidate) => typeof candidate === 'object' && 'test' in candidate && candidate.test?.name === name,
);
if (typeof project !== 'object' || !('test' in project))
  throw new Error(`vitest.config.ts has no project "${name}"`);

const setupFiles = [project.test?.setupFiles ?? []].flat();
if (name === 'console') setupFiles.push('apps/console/src/features/testing/mutant-waits.ts');

export default defineConfig({
  // The copy's modules are links that lead out of it, where Vite gives out no files: those with a map did not load.
  server: { fs: { strict: false } },
  // Here, because Stryker overrules the pool that stands below.
  plugins: [
    {
      name: 'kept-worker',
      configureVitest: ({ project: { config } }) => {
        config.pool = keptWorker.name;
        config.poolRunner = keptWorker;
      },
    },
  ],
  test: {
    ...shared,
    ...project.test,
    name: undefined,
    include,
    exclude: ['**/node_modules/**'],
    setupFiles,
    // The contract's tests need no database, and it takes longer to start than they do.
    ...(include.every((tests) => tests.startsWith('packages/contract/')) ? { globalSetup: [] } : {}),
    // The first page of the first test is loaded on a busy machine, and races are run 200 times.
    testTimeout: 90_000,
  },
});
