/**
 * What a release needs beside `npm test`: `npm run test:release`, or some of its parts by name. `--due` runs those whose paths have
 * changed since they were last seen to pass, `--record` writes down in `.ci/release-tested` which parts passed.
 */

import { releaseBuild, releaseParts } from './suite/release-parts.ts';
import { listDue, recordTested } from './suite/release-tested.ts';
import { type Outcome, printEnd, runSuite } from './suite/run.ts';
import { openWorkerLog } from './suite/worker-log.ts';
import { ensureSystemPackages } from './system-packages.ts';
import { PlainError, print } from './terminal.mjs';

const allNames = releaseParts.map(({ name }) => name);

export async function main(args: string[]): Promise<void> {
  const named = args.filter((arg) => !arg.startsWith('--'));
  const unknown = named.find((name) => !allNames.includes(name));
  if (unknown) throw new PlainError(`There is no part ${unknown}. The parts are: ${allNames.join(', ')}.`);
  await ensureSystemPackages('release');
  openWorkerLog();
  const names = args.includes('--due') ? await listDue(allNames) : named;
  const outcome = await runReleaseParts(names.length > 0 || args.includes('--due') ? names : allNames);
  if (!outcome) {
    print('\nNo part is due.\n');
    return;
  }
  if (args.includes('--record')) await recordTested(outcome.passed);
  printEnd([outcome]);
}

/** Undefined where there is nothing to run. */
export async function runReleaseParts(names: readonly string[]): Promise<Outcome | undefined> {
  const parts = releaseParts.filter(({ name }) => names.includes(name));
  return parts.length > 0 ? runSuite([releaseBuild, ...parts]) : undefined;
}
