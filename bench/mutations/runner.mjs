/** Stryker's runner for Vitest, over a worker that is kept from mutant to mutant, and judged by `judge.mjs`. */
import { strykerPlugins as plugins } from '@stryker-mutator/vitest-runner';
import { createJudge } from './judge.mjs';

function findVitest() {
  for (const plugin of plugins) return plugin;
  throw new Error("Stryker's plugin for Vitest has no runner");
}

const vitest = findVitest();

/** @param {NonNullable<Parameters<(typeof vitest)['factory']>[0]>} injector */
function createRunner(injector) {
  const runner = vitest.factory(injector);
  return {
    capabilities: () => runner.capabilities(),
    init: async () => runner.init?.(),
    ...createJudge(runner),
    dispose: async () => runner.dispose?.(),
  };
}
createRunner.inject = /** @type {const} */ (['$injector']);

export const strykerPlugins = [{ ...vitest, name: 'kept', factory: createRunner }];
