/** The parts of `npm test`, and what is said of them at the end: how they went, and where the time went. */

import { ensureBuilt } from './build.mjs';
import { runChecks } from './check.ts';
import { endToEndReport, runEndToEndTests } from './e2e.ts';
import { nodeLineReports, runNodeLines } from './node-lines.ts';
import { otherDatabaseReports, runOverOtherDatabase } from './other-database.ts';
import { root } from './processes.mjs';
import { findIdleShare, readProcessorTimes } from './processor-time.ts';
import {
  bold,
  dim,
  formatDuration,
  green,
  PlainError,
  print,
  printIndented,
  printRow,
  red,
} from './terminal.mjs';
import { addCounts, type Counts } from './test-report.ts';
import { findSlowest, listTestResults, type TestResult } from './test-results.ts';
import { readUnitResults, runUnitTests } from './unit-tests.ts';

let totals: Counts = { passed: 0, failed: 0, skipped: 0 };
const summary: { name: string; counts: Counts | undefined; milliseconds: number; idle: number }[] = [];

export async function runParts(): Promise<void> {
  await runPart('Checks', runChecks);
  const isBuilt = await runPart('Build', ensureBuilt);
  if (isBuilt) {
    await runPart('Unit and integration tests', runUnitTests);
    await runPart('Other lines of Node.js', runNodeLines);
    await runPart('Over Debian’s PostgreSQL', runOverOtherDatabase);
    await runPart('End-to-end tests', runEndToEndTests);
  }
  printSummary();
  // The reports are of this run where its tests ran at all.
  if (isBuilt) {
    const results = listTestResults({
      vitest: readUnitResults([...nodeLineReports, otherDatabaseReports]),
      playwright: endToEndReport.read(),
      root,
    });
    printSlowest(results);
    printFailed(results);
  }
  // From the start of the process on, so that the installation counts.
  print(`\n  in ${formatDuration(performance.now())}\n`);
  const isGood = totals.failed === 0 && totals.passed > 0;
  const line = describeTotals(totals);
  print(isGood ? green(line) : red(line));
  process.exitCode = isGood ? 0 : 1;
}

/** Runs one part and adds up its counts. A part that breaks is one failure; the next ones run all the same. */
async function runPart(name: string, run: () => Promise<Counts | undefined>): Promise<boolean> {
  print(`\n${bold(name)}\n`);
  const started = performance.now();
  const before = readProcessorTimes();
  const counts = await run().catch((error) => {
    printIndented(error instanceof PlainError ? error.message : (error.stack ?? String(error)));
    return { passed: 0, failed: 1, skipped: 0 };
  });
  if (counts) totals = addCounts([totals, counts]);
  summary.push({ name, counts, milliseconds: performance.now() - started, idle: findIdleShare(before) });
  return !counts?.failed;
}

function printSummary() {
  print(`\n${bold('Summary')}\n`);
  for (const { name, counts, milliseconds, idle } of summary) {
    const waited = `processor idle ${Math.round(idle * 100)} %`;
    const detail = [describeCounts(counts), waited].filter(Boolean).join(', ');
    printRow(counts?.failed ? 'failed' : 'passed', name.padEnd(28), detail, milliseconds);
  }
}

function describeCounts(counts: Counts | undefined): string {
  return Object.entries(counts ?? {})
    .filter(([key, count]) => count > 0 || key === 'passed')
    .map(([key, count]) => `${count} ${key}`)
    .join(', ');
}

function describeTotals({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function printSlowest(results: TestResult[]) {
  const { files, tests } = findSlowest(results);
  print(`\n${bold('Slowest files')}\n`);
  for (const { file, milliseconds, tests: count } of files) printTiming(milliseconds, file, `${count} tests`);
  print(`\n${bold('Slowest tests')}\n`);
  for (const { file, title, milliseconds } of tests) printTiming(milliseconds, title, file);
}

function printTiming(milliseconds: number, what: string, note: string) {
  print(`  ${formatDuration(milliseconds).padStart(12)}  ${what} ${dim(note)}`);
}

/** What failed once more, at the end: above it stand thousands of lines of what passed. */
function printFailed(results: TestResult[]) {
  const failed = results.filter(({ failure }) => failure !== undefined);
  if (failed.length > 0) print(`\n${bold('Failed tests')}`);
  for (const { file, title, failure = '' } of failed) {
    print(`\n  ${red(title || 'outside of a test')} ${dim(file)}`);
    printIndented(failure.split('\n').slice(0, 20).join('\n'));
  }
}
