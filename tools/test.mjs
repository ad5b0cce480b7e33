/** Everything that CI runs: `npm test`. Its last line says how many checks and tests passed, what is before it where the time went. */

import { ensureBuilt } from './build.mjs';
import { runChecks } from './check.mjs';
import { endToEndReport, runEndToEndTests } from './e2e.mjs';
import { ensureInstalled } from './install.mjs';
import { root, runPackageProgram, stopChildrenOnSignals } from './processes.mjs';
import { findIdleShare, readProcessorTimes } from './processor-time.mjs';
import { findSlowest, listTimings } from './slowest.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
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
import { openReport } from './test-report.mjs';
import { countTests } from './vitest-report.mjs';

const vitestReport = openReport('vitest.json');
const totals = { passed: 0, failed: 0, skipped: 0 };
const summary = [];
const unitPart = 'Unit and integration tests';

/** Runs one part and adds up its counts. A part that breaks is one failure; the next ones run all the same. */
async function runPart(name, run) {
  print(`\n${bold(name)}\n`);
  const started = performance.now();
  const before = readProcessorTimes();
  const counts = await run().catch((error) => {
    printIndented(error instanceof PlainError ? error.message : (error.stack ?? String(error)));
    return { passed: 0, failed: 1, skipped: 0 };
  });
  for (const key of Object.keys(totals)) totals[key] += counts?.[key] ?? 0;
  summary.push({ name, counts, milliseconds: performance.now() - started, idle: findIdleShare(before) });
  return !counts?.failed;
}

async function prepare() {
  await ensureInstalled();
  await ensureSystemPackages();
}

async function runVitest() {
  vitestReport.remove();
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport.path}`];
  const { code } = await runPackageProgram('vitest', args, { output: 'show' });
  return countTests(code, vitestReport.read());
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
    await runPart(unitPart, runVitest);
    await runPart('End-to-end tests', runEndToEndTests);
  }
}
print(`\n${bold('Summary')}\n`);
for (const { name, counts, milliseconds, idle } of summary) {
  const waited = `processor idle ${Math.round(idle * 100)} %`;
  const detail = [describeCounts(counts), waited].filter(Boolean).join(', ');
  printRow(counts?.failed ? 'failed' : 'passed', name.padEnd(28), detail, milliseconds);
}
printSlowest();
print(`\n  in ${formatDuration(performance.now() - started)}\n`);
const isGood = totals.failed === 0 && totals.passed > 0;
const line = describeTotals(totals);
print(isGood ? green(line) : red(line));
process.exitCode = isGood ? 0 : 1;

function describeTotals({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The reports are of this run where its tests ran at all. */
function printSlowest() {
  if (!summary.some(({ name }) => name === unitPart)) return;
  const timings = listTimings({ vitest: vitestReport.read(), playwright: endToEndReport.read(), root });
  const { files, tests } = findSlowest(timings);
  const printTable = (title, rows) => {
    print(`\n${bold(title)}\n`);
    for (const [milliseconds, text] of rows) print(`  ${formatDuration(milliseconds).padStart(12)}  ${text}`);
  };
  printTable(
    'Slowest files',
    files.map(({ file, tests: count, milliseconds }) => [milliseconds, `${file} ${dim(`${count} tests`)}`]),
  );
  printTable(
    'Slowest tests',
    tests.map(({ file, title, milliseconds }) => [milliseconds, `${title} ${dim(file)}`]),
  );
}
