import { join } from 'node:path';
import { root, runCommand } from '../processes.mjs';
import { print } from '../terminal.mjs';
import { addCounts, type Counts, openReport } from './report.ts';
import { unhandledErrorsVariable } from './unhandled-errors-reporter.ts';

/** What we read of Vitest's JSON report. */
export interface VitestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    /** Why the file could not be loaded. */
    message?: string;
    assertionResults: {
      status: string;
      fullName: string;
      duration?: number | null;
      failureMessages?: string[];
    }[];
  }[];
}

/** Where a run of a project leaves its reports, under a name of its own where there are several. */
export function openReports(project: string, name = project) {
  return {
    project,
    tests: openReport<VitestReport>(`vitest-${name}.json`),
    unhandled: openReport<string[]>(`vitest-${name}-unhandled.json`),
  };
}
export type Reports = ReturnType<typeof openReports>;

const nodeReports = openReports('node');
const consoleReports = openReports('console');

export const readUnitResults = () => readReports([nodeReports, consoleReports]);

/** What the files of the last run say of their tests, and what was thrown outside of them. */
export function readReports(all: readonly Reports[]) {
  return {
    testResults: all.flatMap(({ tests }) => tests.read()?.testResults ?? []),
    unhandledErrors: all.flatMap(({ unhandled }) => unhandled.read() ?? []),
  };
}

/**
 * Runs Vitest over everything and says how many tests passed; expects a build. Tests of the console compute all the time,
 * the others wait a lot: both run at once, so that no core rests. What is said of the console's is shown at the end.
 */
export async function runUnitTests(): Promise<Counts> {
  const [others, ofConsole] = await Promise.all([
    runVitest(nodeReports, { output: 'show' }),
    runVitest(consoleReports, { output: 'capture', more: ['--maxWorkers=50%'] }),
  ]);
  print(ofConsole.output);
  const counts = [
    countUnitTests(others.code, nodeReports.tests.read()),
    countUnitTests(ofConsole.code, consoleReports.tests.read()),
  ];
  return addCounts(counts);
}

/** Runs a project by the Node.js that runs us, whatever PATH says, or by another one. */
export function runVitest(
  { project, tests, unhandled }: Reports,
  {
    output,
    more = [],
    node = process.execPath,
    env = {},
    timeoutMs,
  }: {
    output: 'show' | 'capture';
    more?: string[];
    node?: string;
    env?: Record<string, string>;
    timeoutMs?: number;
  },
) {
  tests.remove();
  unhandled.remove();
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${tests.path}`,
    `--reporter=${join(root, 'tools', 'suite', 'unhandled-errors-reporter.ts')}`,
  ];
  const all = { ...process.env, ...env, [unhandledErrorsVariable]: unhandled.path };
  const vitest = join(root, 'node_modules/.bin/vitest');
  return runCommand(node, [vitest, 'run', '--project', project, ...reporters, ...more], {
    output,
    env: all,
    timeoutMs,
  });
}

/**
 * A file that could not be loaded counts as a failure, and so does a run that failed without a failed test or ran
 * none.
 */
export function countUnitTests(code: number, report: VitestReport | undefined): Counts {
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const failed = report.numFailedTests + brokenFiles;
  const isSound = (code === 0 && report.numPassedTests > 0) || failed > 0;
  return {
    passed: report.numPassedTests,
    failed: isSound ? failed : failed + 1,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}
