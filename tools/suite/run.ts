/** One run of parts of the suite, and what is said of it at the end: how they went, where the time went, what is flaky. */

import { root } from '../processes.mjs';
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
} from '../terminal.mjs';
import { findFlaky, printFailed, printFlaky } from './flakes.ts';
import { compareMinutes, type Minutes } from './minutes.ts';
import { findIdleShare, readProcessorTimes } from './processor-time.ts';
import { addCounts, type Counts } from './report.ts';
import { findSlowest, listTestResults, type RunnerReports, type TestResult } from './results.ts';

export interface Part {
  name: string;
  /** Undefined where nothing is counted. */
  run: () => Promise<Counts | undefined>;
  /** Without it the next parts make no sense. */
  isRequired?: boolean;
  /** What its runners have left of this run. */
  readReports?: () => RunnerReports;
}

export interface Outcome {
  counts: Counts;
  flaky: TestResult[];
  /** By part. */
  minutes: Minutes;
  /** The parts that passed, those included whose failures were flaky. */
  passed: string[];
}

interface FinishedPart {
  name: string;
  counts: Counts;
  isCounted: boolean;
  results: TestResult[];
  milliseconds: number;
  /** The share of the processors that had nothing to do. */
  idle: number;
}

/** Runs all parts, then once more what failed in few files. Prints all but the last lines, which `printEnd` does. */
export async function runSuite(parts: readonly Part[], known: Minutes = {}): Promise<Outcome> {
  const done: FinishedPart[] = [];
  for (const part of parts) {
    const finished = await runPart(part);
    done.push(finished);
    if (part.isRequired && finished.counts.failed > 0) break;
  }
  const results = done.flatMap((part) => part.results);
  const failed = results.filter(isFailed);
  const counts = addCounts(done.map((part) => part.counts));
  // Where a part failed otherwise than by a test, a second run of tests changes nothing.
  const flaky = counts.failed === failed.length ? await findFlaky(failed) : [];
  printSummary(done, known);
  printSlowest(results);
  printFailed(failed.filter((test) => !flaky.includes(test)));
  return {
    counts: addCounts([counts, { passed: flaky.length, failed: -flaky.length, skipped: 0 }]),
    flaky,
    minutes: Object.fromEntries(done.map(({ name, milliseconds }) => [name, milliseconds / 60_000])),
    passed: done
      .filter(
        ({ counts, results }) => counts.failed === results.filter((test) => flaky.includes(test)).length,
      )
      .map(({ name }) => name),
  };
}

/** The lines of flaky tests, the time from the start of the process on, and the last line, by which the exit code goes. */
export function printEnd(outcomes: readonly Outcome[]): void {
  printFlaky(outcomes.flatMap(({ flaky }) => flaky));
  const totals = addCounts(outcomes.map(({ counts }) => counts));
  print(`\n  in ${formatDuration(performance.now())}\n`);
  const isGood = totals.failed === 0 && totals.passed > 0;
  const line = `${totals.passed} passed, ${totals.failed} failed${totals.skipped > 0 ? `, ${totals.skipped} skipped` : ''}`;
  print(isGood ? green(line) : red(line));
  process.exitCode = isGood ? 0 : 1;
}

const isFailed = ({ failure }: TestResult) => failure !== undefined;

/** Runs one part. A part that throws is one failure; the next ones run all the same. */
async function runPart({ name, run, readReports }: Part): Promise<FinishedPart> {
  print(`\n${bold(name)}\n`);
  const started = performance.now();
  const before = readProcessorTimes();
  const counts = await run().catch((error) => {
    printIndented(error instanceof PlainError ? error.message : (error.stack ?? String(error)));
    return { passed: 0, failed: 1, skipped: 0 };
  });
  return {
    name,
    counts: counts ?? { passed: 0, failed: 0, skipped: 0 },
    isCounted: counts !== undefined,
    results: readReports ? listTestResults({ ...readReports(), root }) : [],
    milliseconds: performance.now() - started,
    idle: findIdleShare(before),
  };
}

function printSummary(done: readonly FinishedPart[], known: Minutes) {
  print(`\n${bold('Summary')}\n`);
  for (const { name, counts, isCounted, milliseconds, idle } of done) {
    const { text, isSlower } = compareMinutes(milliseconds / 60_000, known[name]);
    const detail = [
      isCounted && describeCounts(counts),
      `processor idle ${Math.round(idle * 100)} %`,
      isSlower ? red(text) : text,
    ];
    const mark = counts.failed > 0 ? 'failed' : 'passed';
    printRow(mark, name.padEnd(28), detail.filter(Boolean).join(', '), milliseconds);
  }
}

function describeCounts(counts: Counts): string {
  return Object.entries(counts)
    .filter(([key, count]) => count > 0 || key === 'passed')
    .map(([key, count]) => `${count} ${key}`)
    .join(', ');
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
