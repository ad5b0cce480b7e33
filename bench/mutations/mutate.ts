/** Breaks the sources of the working folder in one place after another, and runs the tests of an area on each. */
import { resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import type { MutationArea } from './areas.ts';

export type MutantResult = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/**
 * `places` are files, or parts of them as `file:from-to`. Rejects where the tests do not pass as they are, where one of
 * their files does not load, and where there is no test.
 */
export async function mutate(area: MutationArea, places: string[]): Promise<MutantResult[]> {
  process.env.MUTATION_TESTS = [area.project, ...area.tests].join(' ');
  return new Stryker({
    mutate: places,
    inPlace: true,
    testRunner: 'kept',
    plugins: ['@stryker-mutator/vitest-runner', resolve('bench/mutations/runner.mjs')],
    vitest: { configFile: 'bench/mutations/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    // A survivor runs all its tests in a new worker, and what is over this is not measured.
    timeoutMS: 600_000,
    // A first run of all tests on a busy machine.
    dryRunTimeoutMinutes: 30,
    // Each would take a console loaded anew, and most are styles.
    ignoreStatic: area.project === 'console',
    reporters: ['progress-append-only'],
    allowConsoleColors: false,
    warnings: false,
    disableTypeChecks: false,
    // Most texts of a component are names of its styles and messages, which the compiler checks.
    mutator: { excludedMutations: area.project === 'console' ? ['StringLiteral'] : [] },
  }).runMutationTest();
}

/**
 * Whether a mutant ran around one place for ever, as Stryker counts its passes. A run that only took too long proves
 * nothing: a busy machine does that to a survivor, whose tests all run twice.
 */
const isEndless = ({ status, statusReason }: MutantResult) =>
  status === 'Timeout' && statusReason !== undefined;

/** The mutants that count, and those of whom nothing can be said. */
export function sortResults(results: MutantResult[]) {
  const withStatus = (...statuses: MutantResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status));
  return {
    killed: [...withStatus('Killed'), ...results.filter(isEndless)],
    survived: withStatus('Survived', 'NoCoverage'),
    /** No test ran, those that fail with it fail without it too, or the time was up. */
    notMeasured: [
      ...withStatus('RuntimeError'),
      ...withStatus('Timeout').filter((result) => !isEndless(result)),
    ],
    leftOut: withStatus('Ignored', 'CompileError', 'Pending'),
  };
}
