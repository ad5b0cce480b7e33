/** Everything that can be said about the code without running it: `npm run check`. */

import { availableParallelism } from 'node:os';
import { architecture } from './checks/architecture.ts';
import { docLinks } from './checks/doc-links.ts';
import { generatedDocs } from './checks/generated-docs.ts';
import { lockfile } from './checks/lockfile.ts';
import { loggedErrors } from './checks/logged-errors.ts';
import { agentTypes, cliTypes, consoleTypes, deadCode, lint, serverTypes } from './checks/programs.ts';
import { regularExpressions } from './checks/regular-expressions.ts';
import { specCoverage } from './checks/spec-coverage.ts';
import type { Counts } from './suite/report.ts';
import { hideRunning, print, printIndented, printRow, showRunning } from './terminal.mjs';

export interface Check {
  name: string;
  /** Its findings, none when all is well. */
  run: () => Promise<string[]>;
}

/** The slow ones stand first. */
const checks: readonly Check[] = [
  serverTypes,
  consoleTypes,
  agentTypes,
  cliTypes,
  deadCode,
  architecture,
  lint,
  specCoverage,
  loggedErrors,
  regularExpressions,
  generatedDocs,
  docLinks,
  lockfile,
];

export async function main(): Promise<void> {
  const { failed } = await runChecks();
  print();
  if (failed > 0) process.exitCode = 1;
}

/** Runs all checks, a few at once, and says how many passed. */
export async function runChecks(): Promise<Counts> {
  const waiting = [...checks];
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const work = async () => {
    for (let check = waiting.shift(); check; check = waiting.shift()) {
      counts[(await runCheck(check)) ? 'passed' : 'failed'] += 1;
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, work));
  return counts;
}

async function runCheck({ name, run }: Check): Promise<boolean> {
  const started = performance.now();
  const entry = { label: name, elapsed: () => performance.now() - started };
  showRunning(entry);
  const findings = await run().catch((error): string[] => [error.stack ?? String(error)]);
  hideRunning(entry);
  printRow(findings.length === 0 ? 'passed' : 'failed', name, '', entry.elapsed());
  if (findings.length > 0) printIndented(`\n${findings.join('\n')}\n\n`);
  return findings.length === 0;
}
