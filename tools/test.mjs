/** Everything that CI runs: `npm test`. Its last line says how many checks and tests passed. */

import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './build.mjs';
import { runChecks } from './check.mjs';
import { runEndToEndTests } from './e2e.mjs';
import { ensureInstalled } from './install.mjs';
import { root, runPackageProgram, stopChildrenOnSignals } from './processes.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { bold, formatDuration, green, PlainError, print, printIndented, printRow, red } from './terminal.mjs';
import { countTests } from './vitest-report.mjs';

const report = join(root, 'test-results', 'vitest.json');
const totals = { passed: 0, failed: 0, skipped: 0 };
const summary = [];

/** Runs one part and adds up its counts. A part that breaks is one failure; the next ones run all the same. */
async function runPart(name, run) {
  print(`\n${bold(name)}\n`);
  const started = performance.now();
  const counts = await run().catch((error) => {
    printIndented(error instanceof PlainError ? error.message : (error.stack ?? String(error)));
    return { passed: 0, failed: 1, skipped: 0 };
  });
  for (const key of Object.keys(totals)) totals[key] += counts?.[key] ?? 0;
  summary.push({ name, counts, milliseconds: performance.now() - started });
  return !counts?.failed;
}

async function prepare() {
  await ensureInstalled();
  await ensureSystemPackages();
}

async function runVitest() {
  rmSync(report, { force: true });
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const { code } = await runPackageProgram('vitest', args, { output: 'show' });
  let result;
  try {
    result = JSON.parse(readFileSync(report, 'utf8'));
  } catch {
    result = undefined;
  }
  return countTests(code, result);
}

function describeCounts(counts) {
  if (!counts) return '';
  return Object.entries(counts)
    .filter(([key, count]) => count > 0 || key === 'passed')
    .map(([key, count]) => `${count} ${key}`)
    .join(', ');
}

stopChildrenOnSignals();
const started = performance.now();
if (await runPart('Preparation', prepare)) {
  await runPart('Checks', runChecks);
  if (await runPart('Build', ensureBuilt)) {
    await runPart('Unit and integration tests', runVitest);
    await runPart('End-to-end tests', runEndToEndTests);
  }
}
print(`\n${bold('Summary')}\n`);
for (const { name, counts, milliseconds } of summary) {
  printRow(counts?.failed ? 'failed' : 'passed', name.padEnd(28), describeCounts(counts), milliseconds);
}
print(`\n  in ${formatDuration(performance.now() - started)}\n`);
const isGood = totals.failed === 0 && totals.passed > 0;
const line = describeTotals(totals);
print(isGood ? green(line) : red(line));
process.exitCode = isGood ? 0 : 1;

function describeTotals({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
