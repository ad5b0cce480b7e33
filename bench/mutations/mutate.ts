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
    timeoutMS: 120_000,
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

/** The mutants that count, and those of whom nothing can be said. */
export function sortResults(results: MutantResult[]) {
  const withStatus = (...statuses: MutantResult['status'][]) =>
    results.filter(({ status }) => statuses.includes(status));
  return {
    killed: withStatus('Killed', 'Timeout'),
    survived: withStatus('Survived', 'NoCoverage'),
    /** No test ran, or those that fail with it fail without it too. */
    notMeasured: withStatus('RuntimeError'),
    leftOut: withStatus('Ignored', 'CompileError', 'Pending'),
  };
}
