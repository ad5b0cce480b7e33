/**
 * Stryker's runner for Vitest, over a worker that is kept from mutant to mutant (`kept-worker.ts`). What a kept worker
 * says is not believed without proof: after a mutant is killed the same test must pass without it, and a mutant that
 * survived is run once more in a new worker, where modules are loaded while it is on.
 */
import { strykerPlugins as plugins } from '@stryker-mutator/vitest-runner';

function findVitest() {
  for (const plugin of plugins) return plugin;
  throw new Error("Stryker's plugin for Vitest has no runner");
}

const vitest = findVitest();
/** @typedef {ReturnType<(typeof vitest)['factory']>} Runner */
/** @typedef {Parameters<Runner['mutantRun']>[0]} MutantRun */

/** So many files of tests are tried first, the nearest to the mutant's own: dozens show the console's shell in passing. */
const fewFiles = 3;

/** @param {string} path @param {string} other */
function countSharedLetters(path, other) {
  let shared = 0;
  while (shared < path.length && path[shared] === other[shared]) shared += 1;
  return shared;
}

/** @param {MutantRun} run @returns {MutantRun} */
function takeNearestTests(run) {
  if (run.testFilter === undefined) return run;
  const path = run.sandboxFileName.slice(process.cwd().length + 1);
  const fileOf = (/** @type {string} */ id) => id.split('#')[0] ?? '';
  const near = [...new Set(run.testFilter.map(fileOf))]
    .sort((one, other) => countSharedLetters(path, other) - countSharedLetters(path, one))
    .slice(0, fewFiles);
  return { ...run, testFilter: run.testFilter.filter((id) => near.includes(fileOf(id))) };
}

/** @param {Runner} runner @param {MutantRun} run @param {'kept' | 'new'} worker */
async function runIn(runner, run, worker) {
  process.env.MUTATION_WORKER = worker;
  return runner.mutantRun(run);
}

/** @param {MutantRun} run @returns {MutantRun} */
const withoutMutant = (run) => ({ ...run, activeMutant: { ...run.activeMutant, id: 'none' } });

/** Whether the worker is as it was before the mutant: the test that noticed it passes where nothing is broken. */
async function isWhole(
  /** @type {Runner} */ runner,
  /** @type {MutantRun} */ run,
  /** @type {string[]} */ killedBy,
) {
  const { status } = await runInKept(runner, { ...withoutMutant(run), testFilter: killedBy });
  return status === 'survived';
}

/**
 * In the kept worker. The end of a run that stopped at its first failure may reach the next one, which then leaves out tests.
 * @param {Runner} runner @param {MutantRun} run
 */
async function runInKept(runner, run) {
  const result = await runIn(runner, run, 'kept');
  const isCutShort = result.status === 'survived' && result.nrOfTests < (run.testFilter?.length ?? 0);
  return isCutShort ? runIn(runner, run, 'kept') : result;
}

/** @param {Runner} runner @param {MutantRun} run @returns {ReturnType<Runner['mutantRun']>} */
async function runMutant(runner, run) {
  if (run.mutantActivation === 'static') return runIn(runner, run, 'new');
  const near = takeNearestTests(run);
  const first = await runInKept(runner, near);
  if (first.status === 'killed' && (await isWhole(runner, near, [first.killedBy].flat()))) return first;
  const second = await runIn(runner, run, 'new');
  if (second.status !== 'killed' || (await isWhole(runner, run, [second.killedBy].flat()))) return second;
  return {
    status: /** @type {never} */ ('error'),
    errorMessage: 'The test that fails with it fails without it too',
  };
}

/** @param {NonNullable<Parameters<(typeof vitest)['factory']>[0]>} injector @returns {Runner} */
function createRunner(injector) {
  const runner = vitest.factory(injector);
  let isFirst = true;
  return {
    capabilities: () => runner.capabilities(),
    init: async () => runner.init?.(),
    dryRun: (options) => runner.dryRun(options),
    mutantRun: async (options) => {
      // The worker of the first run of all tests has seen too much.
      if (isFirst) await runIn(runner, withoutMutant(takeNearestTests(options)), 'new');
      isFirst = false;
      return runMutant(runner, options);
    },
    dispose: async () => runner.dispose?.(),
  };
}
createRunner.inject = /** @type {const} */ (['$injector']);

export const strykerPlugins = [{ ...vitest, name: 'kept', factory: createRunner }];
