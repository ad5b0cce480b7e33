/** What `npm test` runs: all that a change of the product's code needs to be trusted. */

import { ensureBuilt } from '../build.mjs';
import { runChecks } from '../check.ts';
import { openEndToEndReport, runEndToEndTests } from '../e2e.ts';
import { print } from '../terminal.mjs';
import { runReleaseParts } from '../test-release.ts';
import { setDeadline } from './deadline.ts';
import { readMinutes, writeMinutes } from './minutes.ts';
import { releaseParts } from './release-parts.ts';
import { listDue } from './release-tested.ts';
import { type Outcome, type Part, printEnd, runSuite } from './run.ts';
import { readUnitResults, runUnitTests } from './unit-tests.ts';
import { openWorkerLog } from './worker-log.ts';

/** A machine of two cores needs about half of it. */
const everydayMinutes = 38;
const releaseMinutes = 48;

const endToEndReport = openEndToEndReport('e2e');

const parts: readonly Part[] = [
  { name: 'Checks', run: runChecks },
  { name: 'Build', run: ensureBuilt, isRequired: true },
  {
    name: 'Unit and integration tests',
    run: runUnitTests,
    readReports: () => ({ vitest: readUnitResults() }),
  },
  {
    name: 'End-to-end tests',
    run: () => runEndToEndTests([], { report: endToEndReport }),
    readReports: () => ({ playwright: endToEndReport.read() }),
  },
];

export async function runEveryday(args: readonly string[]): Promise<void> {
  const isCi = args.includes('--ci');
  openWorkerLog();
  const callOff = isCi ? setDeadline('npm test', everydayMinutes) : undefined;
  const outcome = await runSuite(parts, readMinutes());
  callOff?.();
  if (args.includes('--record')) writeMinutes(outcome.minutes);
  const due = isCi && outcome.counts.failed === 0 ? await runDue() : undefined;
  printEnd(due ? [outcome, due] : [outcome]);
}

async function runDue(): Promise<Outcome | undefined> {
  const due = await listDue(releaseParts.map(({ name }) => name));
  print(`\nDue of the release suite: ${due.join(', ') || 'none'}.`);
  setDeadline('The release suite', releaseMinutes);
  return runReleaseParts(due);
}
