/** Everything that can be said about the code without running it: `npm run check`. */

import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { architecture } from './checks/architecture.mjs';
import { commentSources } from './checks/comment-sources.mjs';
import { docLinks } from './checks/doc-links.mjs';
import { generatedDocs } from './checks/generated-docs.mjs';
import { lockfile } from './checks/lockfile.mjs';
import { loggedErrors } from './checks/logged-errors.mjs';
import { consoleTypes, deadCode, lint, serverTypes, toolTypes } from './checks/programs.mjs';
import { regularExpressions } from './checks/regular-expressions.mjs';
import { retiredIdentifiers } from './checks/retired-identifiers.mjs';
import { specCoverage } from './checks/spec-coverage.mjs';
import { testTitles } from './checks/test-titles.mjs';
import { ensureInstalled } from './install.mjs';
import { stopChildrenOnSignals } from './processes.mjs';
import { hideRunning, print, printIndented, printRow, runTool, showRunning } from './terminal.mjs';

/** Each has a `name` and a `run` that resolves to its findings, none when all is well. The slow ones stand first. */
const checks = [
  serverTypes,
  consoleTypes,
  toolTypes,
  deadCode,
  architecture,
  lint,
  specCoverage,
  testTitles,
  retiredIdentifiers,
  commentSources,
  loggedErrors,
  regularExpressions,
  generatedDocs,
  docLinks,
  lockfile,
];

/** Runs all checks, a few at once, and says how many passed. */
export async function runChecks() {
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

async function runCheck({ name, run }) {
  const started = performance.now();
  const entry = { label: name, elapsed: () => performance.now() - started };
  showRunning(entry);
  const findings = await run().catch((error) => [error.stack ?? String(error)]);
  hideRunning(entry);
  printRow(findings.length === 0 ? 'passed' : 'failed', name, '', entry.elapsed());
  if (findings.length > 0) printIndented(`\n${findings.join('\n')}\n\n`);
  return findings.length === 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  stopChildrenOnSignals();
  await runTool(async () => {
    await ensureInstalled();
    const { failed } = await runChecks();
    print();
    if (failed > 0) process.exitCode = 1;
  });
}
