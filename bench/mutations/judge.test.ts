import { afterEach, expect, it } from 'vitest';
import { createJudge, type MutantRun, type Runner } from './judge.mjs';

/** What Vitest does in a run of tests: which of them fail, whether a file does, what is thrown outside of them. */
interface Happening {
  failed?: string[];
  brokenFile?: string;
  error?: string;
  tests?: number;
}

/** A judge over a Vitest in which `withMutant` happens while the mutant is on, and `without` while it is not. */
function createTrial(withMutant: Happening, without: Happening = {}) {
  const runs: string[] = [];
  let files: { name: string; result: { state: string; errors?: { message: string }[] } }[] = [];
  const happen = ({ brokenFile }: Happening) => {
    const broken = { state: 'fail', errors: [{ message: 'Cannot find module' }] };
    files = [
      { name: 'other.test.ts', result: { state: 'pass' } },
      ...(brokenFile === undefined ? [] : [{ name: brokenFile, result: broken }]),
    ];
  };
  const runner = {
    ctx: { state: { getFiles: () => files } },
    capabilities: () => ({ reloadEnvironment: true }),
    dryRun: async () => {
      happen(without);
      const tests = (without.failed ?? []).map((id) => ({ id, name: id, timeSpentMs: 0, status: 1 }));
      return { status: 'complete', tests: [{ id: 'a', name: 'a', timeSpentMs: 0, status: 0 }, ...tests] };
    },
    mutantRun: async (run: MutantRun) => {
      const isBroken = run.activeMutant.id !== 'none';
      const happening = isBroken ? withMutant : without;
      runs.push(`${isBroken ? 'mutant' : 'whole'} ${process.env.MUTATION_WORKER} ${run.testFilter ?? 'all'}`);
      happen(happening);
      const nrOfTests = happening.tests ?? (run.testFilter?.length || 1);
      if (happening.error) return { status: 'error', errorMessage: happening.error };
      if (!happening.failed?.length) return { status: 'survived', nrOfTests };
      return { status: 'killed', killedBy: happening.failed, failureMessage: 'not equal', nrOfTests };
    },
  } as unknown as Runner;
  const judge = createJudge(runner);
  const run = (activation: 'static' | 'runtime') =>
    judge.mutantRun({
      activeMutant: { id: '1' },
      mutantActivation: activation,
      sandboxFileName: `${process.cwd()}/src/a.ts`,
      ...(activation === 'runtime' ? { testFilter: ['src/a.test.ts#one'] } : {}),
    } as unknown as MutantRun);
  return { judge, run, runs };
}

afterEach(() => void delete process.env.MUTATION_WORKER);

const activations = ['runtime', 'static'] as const;

it.each(activations)(
  'a mutant that fails a test which passes without it is killed, %s',
  async (activation) => {
    const { run } = createTrial({ failed: ['src/a.test.ts#one'] });
    expect((await run(activation)).status).toBe('killed');
  },
);

it.each(activations)(
  'a mutant with which a file of tests does not load is killed, %s',
  async (activation) => {
    const { run } = createTrial({ brokenFile: 'a.test.ts', tests: 0 });
    expect(await run(activation)).toMatchObject({
      status: 'killed',
      failureMessage: 'a.test.ts: Cannot find module',
    });
  },
);

it.each(activations)(
  'a mutant with which an error is thrown outside of tests is killed, %s',
  async (activation) => {
    const { run } = createTrial({ error: 'Unhandled rejection' });
    expect((await run(activation)).status).toBe('killed');
  },
);

it.each(activations)('a mutant that no test notices survives, %s', async (activation) => {
  const { run, runs } = createTrial({});
  expect((await run(activation)).status).toBe('survived');
  expect(runs.at(-1)).toMatch(/^mutant new /);
});

it.each([
  ['the same test fails', { failed: ['src/a.test.ts#one'] }],
  ['its file does not load', { brokenFile: 'a.test.ts', tests: 0 }],
  ['an error is thrown', { error: 'Unhandled rejection' }],
  ['no test runs', { tests: 0 }],
])('a mutant is not measured when without it %s as well', async (_, without) => {
  for (const activation of activations) {
    const { run } = createTrial({ failed: ['src/a.test.ts#one'] }, without);
    expect((await run(activation)).status).toBe('error');
  }
});

it.each(activations)('a mutant for which no test ran is not measured, %s', async (activation) => {
  const { run } = createTrial({ tests: 0 });
  expect(await run(activation)).toEqual({ status: 'error', errorMessage: 'No test ran' });
});

it('a file of tests that does not load without a mutant ends the measurement', async () => {
  const { judge } = createTrial({}, { brokenFile: 'a.test.ts' });
  const options = { coverageAnalysis: 'perTest', timeout: 1000 } as Parameters<Runner['dryRun']>[0];
  expect(await judge.dryRun(options)).toEqual({
    status: 'error',
    errorMessage: 'a.test.ts: Cannot find module',
  });
});

it('failed tests without a mutant are reported as they are', async () => {
  const { judge } = createTrial({}, { failed: ['a'], brokenFile: 'a.test.ts' });
  const options = { coverageAnalysis: 'perTest', timeout: 1000 } as Parameters<Runner['dryRun']>[0];
  expect((await judge.dryRun(options)).status).toBe('complete');
});
