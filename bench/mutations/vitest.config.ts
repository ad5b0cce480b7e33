/** The settings of one project of the suite, for the tests of one area. Read in the processes that Stryker starts. */
import { defineConfig } from 'vitest/config';
import suite from '../../vitest.config.ts';

const [name, ...include] = (process.env.MUTATION_TESTS ?? '').split(' ');
const { projects = [], ...shared } = suite.test ?? {};
const project = projects.find(
  (candidate) => typeof candidate === 'object' && 'test' in candidate && candidate.test?.name === name,
);
if (typeof project !== 'object' || !('test' in project))
  throw new Error(`vitest.config.ts has no project "${name}"`);

export default defineConfig({
  test: { ...shared, ...project.test, name: undefined, include, exclude: ['**/node_modules/**'] },
});
