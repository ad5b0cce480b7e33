/**
 * What runs of tests say about a mutant. What a kept worker (`kept-worker.ts`) says is not believed without proof: after a
 * mutant is killed the same test must pass without it, and a mutant that survived is run once more in a new worker, where
 * modules are loaded while it is on. A file of tests that does not load is a failure like any other, and a run without a
 * test says nothing. One that runs around one place for ever Stryker itself ends, as it counts the passes.
 */

/** @typedef {ReturnType<(typeof import('@stryker-mutator/vitest-runner'))['strykerPlugins'][number]['factory']>} Runner */
/** @typedef {Parameters<Runner['mutantRun']>[0]} MutantRun */

/** Stryker's own words are values of enumerations that it does not hand on. */
const killed = /** @type {never} */ ('killed');
const failedTest = /** @type {never} */ (1);

/** So many files of tests are tried first, the nearest to the mutant's own: dozens show the console's shell in passing. */
const fewFiles = 3;

/** @param {string} path @param {string} other */
function countSharedLetters(path, other) {
  let shared = 0;
  while (shared < path.length && path[shared] === other[shared]) shared += 1;
  return shared;
}

/** The tests of the nearest files, and those of the others. @param {MutantRun} run @returns {[near: MutantRun, far: MutantRun]} */
function splitTests(run) {
  const tests = run.testFilter ?? [];
  const path = run.sandboxFileName.slice(process.cwd().length + 1);
  const fileOf = (/** @type {string} */ id) => id.split('#')[0] ?? '';
  const near = [...new Set(tests.map(fileOf))]
    .sort((one, other) => countSharedLetters(path, other) - countSharedLetters(path, one))
    .slice(0, fewFiles);
  const isNear = (/** @type {string} */ id) => near.includes(fileOf(id));
  return [
    { ...run, testFilter: tests.filter(isNear) },
    { ...run, testFilter: tests.filter((id) => !isNear(id)) },
  ];
}

/**
 * What went wrong where no test failed: a file of tests that does not load, or whose preparation fails, has no failed
 * test, and Stryker sees nothing. `ctx` is Vitest itself, which Stryker's runner keeps to itself.
 * @param {Runner} runner
 */
function findBrokenFile(runner) {
  const { ctx } = /** @type {{ ctx?: import('vitest/node').Vitest }} */ (/** @type {unknown} */ (runner));
  const broken = ctx?.state.getFiles().find(({ result }) => result?.state === 'fail');
  return broken && `${broken.name}: ${broken.result?.errors?.[0]?.message ?? 'does not load'}`;
}

/** @param {Runner} runner @param {MutantRun} run @param {'kept' | 'new'} worker @returns {ReturnType<Runner['mutantRun']>} */
async function runIn(runner, run, worker) {
  process.env.MUTATION_WORKER = worker;
  const result = await runner.mutantRun(run);
  if (result.status === 'killed' || result.status === 'timeout') return result;
  // An error outside of every test fails the suite as well.
  const failure = result.status === 'error' ? result.errorMessage : findBrokenFile(runner);
  if (failure === undefined) return result;
  const nrOfTests = result.status === 'survived' ? result.nrOfTests : 0;
  return { status: killed, killedBy: [], failureMessage: failure, nrOfTests };
}

/** @param {MutantRun} run @returns {MutantRun} */
const withoutMutant = (run) => ({ ...run, activeMutant: { ...run.activeMutant, id: 'none' } });

/**
 * Whether what a mutant failed passes where nothing is broken: the tests that noticed it, or all of them where a file
 * of tests failed and no test.
 * @param {Runner} runner @param {MutantRun} run @param {string[]} killedBy @param {'kept' | 'new'} worker
 */
async function isWhole(runner, run, killedBy, worker) {
  const tests = killedBy.length === 0 ? run.testFilter : killedBy;
  const same = { ...withoutMutant(run), testFilter: tests };
  const result = await (worker === 'kept' ? runInKept(runner, same) : runIn(runner, same, 'new'));
  return result.status === 'survived' && result.nrOfTests > 0;
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

/** @param {string} errorMessage */
const notMeasured = (errorMessage) => ({ status: /** @type {never} */ ('error'), errorMessage });

/** @param {Runner} runner @param {MutantRun} run @returns {ReturnType<Runner['mutantRun']>} */
async function runMutant(runner, run) {
  const isStatic = run.mutantActivation === 'static';
  const [near, far] = splitTests(run);
  for (const part of isStatic ? [] : [near, far]) {
    if (part.testFilter?.length === 0) continue;
    const first = await runInKept(runner, part);
    if (first.status === 'timeout') return first;
    if (first.status !== 'killed') continue;
    if (await isWhole(runner, part, [first.killedBy].flat(), 'kept')) return first;
    break;
  }
  // All of them would load everything anew: a survivor took minutes. What they alone notice counts as a survivor.
  const anew = isStatic ? run : near;
  const last = await runIn(runner, anew, 'new');
  if (last.status === 'survived' && last.nrOfTests === 0) return notMeasured('No test ran');
  if (last.status !== 'killed') return last;
  // What was loaded while a mutant was on is broken for as long as the worker lives.
  const isProven = await isWhole(runner, anew, [last.killedBy].flat(), isStatic ? 'new' : 'kept');
  return isProven ? last : notMeasured(`What fails with it fails without it too: ${last.failureMessage}`);
}

/** @param {Runner} runner @param {Parameters<Runner['dryRun']>[0]} options @returns {ReturnType<Runner['dryRun']>} */
async function runUnbroken(runner, options) {
  const result = await runner.dryRun(options);
  const failure = findBrokenFile(runner);
  const hasFailedTest = 'tests' in result && result.tests.some(({ status }) => status === failedTest);
  return failure === undefined || hasFailedTest ? result : notMeasured(failure);
}

/** @param {Runner} runner @returns {Pick<Runner, 'dryRun' | 'mutantRun'>} */
export function createJudge(runner) {
  let isFirst = true;
  return {
    dryRun: (options) => runUnbroken(runner, options),
    mutantRun: async (run) => {
      // The worker of the first run of all tests has seen too much.
      const whole = withoutMutant(run.mutantActivation === 'static' ? run : splitTests(run)[0]);
      if (isFirst) await runIn(runner, whole, 'new');
      isFirst = false;
      return runMutant(runner, run);
    },
  };
}
