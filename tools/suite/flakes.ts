/**
 * The second run of what failed: a test that fails in a whole run and passes in its file alone is flaky. It is listed by name
 * and sinks nothing, within narrow bounds; a file that fails twice fails the run.
 */

import { join } from 'node:path';
import { openEndToEndReport, runEndToEndTests } from '../e2e.ts';
import { root } from '../processes.mjs';
import { bold, print, printIndented, printRow, red, yellow } from '../terminal.mjs';
import type { Counts } from './report.ts';
import type { TestResult } from './results.ts';
import { countUnitTests, openReports, runVitest } from './unit-tests.ts';
import { listNeighbours, readWorkerLog } from './worker-log.ts';

const mostFiles = 3;
const mostMilliseconds = 5 * 60_000;

/** Rights and refusals: what fails there once is looked at by a person. */
const neverTwice =
  /access|bad-input|foreign-text|hostile|matrix|permission|revalidat|scope|security|secret|smuggl|token/;

/** The files that may run once more, or the reason why none of them may. */
export function findSecondRun(failed: readonly TestResult[]): { files: string[] } | { reason: string } {
  const files = [...new Set(failed.map(({ file }) => file))];
  if (files.includes('')) return { reason: 'An error outside of every test is never run again.' };
  const guarded = files.find((file) => neverTwice.test(file));
  if (guarded) return { reason: `${guarded} is about rights or refusals: it is never run again.` };
  if (files.length > mostFiles)
    return { reason: `${files.length} files failed: at most ${mostFiles} run again.` };
  return { files };
}

/** Runs the files of what failed once more, each alone. Returns the tests of those that passed then. */
export async function findFlaky(failed: readonly TestResult[]): Promise<TestResult[]> {
  if (failed.length === 0) return [];
  print(`\n${bold('Second run of what failed')}\n`);
  const found = findSecondRun(failed);
  if ('reason' in found) {
    printIndented(found.reason);
    return [];
  }
  const started = performance.now();
  const flaky: TestResult[] = [];
  for (const file of found.files) {
    const timeoutMs = mostMilliseconds - (performance.now() - started);
    if (timeoutMs <= 0) {
      printRow('failed', file, 'not run: the second runs have five minutes in all');
      continue;
    }
    const fileStarted = performance.now();
    const counts = await runAgain([file], timeoutMs);
    const isGood = counts.failed === 0;
    printRow(isGood ? 'passed' : 'failed', file, '', performance.now() - fileStarted);
    if (isGood) flaky.push(...failed.filter((test) => test.file === file));
  }
  for (const file of new Set(flaky.map((test) => test.file))) {
    await runWithNeighbours(file, mostMilliseconds - (performance.now() - started));
  }
  return flaky;
}

/** Files of one worker share their modules, so a neighbour may have spoilt the file: told, and counted nowhere. */
async function runWithNeighbours(file: string, timeoutMs: number): Promise<void> {
  const neighbours = listNeighbours(readWorkerLog(), join(root, file));
  if (isEndToEnd(file) || neighbours.length === 0 || timeoutMs <= 0) return;
  const { failed } = await runAgain([...neighbours, file], timeoutMs, ['--maxWorkers=1']);
  const outcome = failed === 0 ? 'passed' : `${failed} failed`;
  printRow(failed === 0 ? 'passed' : 'warned', file, `${outcome} after the files of its worker`);
}

const isEndToEnd = (file: string) => file.startsWith('tests/e2e/');

async function runAgain(files: string[], timeoutMs: number, more: string[] = []): Promise<Counts> {
  const [first = ''] = files;
  if (isEndToEnd(first)) {
    return runEndToEndTests(
      files.map((file) => file.slice('tests/e2e/'.length)),
      { report: openEndToEndReport('e2e-again'), output: 'capture', timeoutMs },
    );
  }
  const project = first.startsWith('apps/console/')
    ? 'console'
    : first.startsWith('tests/release/')
      ? 'release'
      : 'node';
  const reports = openReports(project, 'again');
  const { code } = await runVitest(reports, { output: 'capture', more: [...files, ...more], timeoutMs });
  return countUnitTests(code, reports.tests.read());
}

/** What each flaky test said first, then a line each, which stands before the last one of a run. */
export function printFlaky(flaky: readonly TestResult[]): void {
  for (const { file, title, failure = '' } of flaky) {
    print(`\n  ${yellow(title || 'outside of a test')} ${file}`);
    printIndented(failure.split('\n').slice(0, 20).join('\n'));
  }
  if (flaky.length > 0) print();
  for (const { file, title } of flaky) print(yellow(`flaky: ${file} › ${title}`));
}

/** The same of what failed for good: above it stand thousands of lines of what passed. */
export function printFailed(failed: readonly TestResult[]): void {
  if (failed.length > 0) print(`\n${bold('Failed tests')}`);
  for (const { file, title, failure = '' } of failed) {
    print(`\n  ${red(title || 'outside of a test')} ${file}`);
    printIndented(failure.split('\n').slice(0, 20).join('\n'));
  }
}
