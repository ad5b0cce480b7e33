/**
 * The quick part of the suite by the LTS lines of Node.js that are newer than the oldest one: what is closest to Node.js, and one walk
 * through the product, whose server and agent then run by it too. The rest is of the Node.js that runs `npm test`.
 */

import { agentNodes, findNode } from '@pult/testkit';
import { printRow } from '../terminal.mjs';
import { addCounts, type Counts } from './report.ts';
import { countUnitTests, openReports, runVitest } from './unit-tests.ts';

const quickPart = [
  ...[
    'collector',
    'contract',
    'files',
    'frp',
    'link',
    'testkit',
    'embedded-postgres/src/embedded-postgres',
  ].map((part) => `packages/${part}`),
  'apps/server/src/config/',
  ...['http', 'mail', 'prometheus', 'ssh'].map((part) => `apps/server/src/platform/${part}`),
  'tests/interop/main-path.test.ts',
];

const majorOf = (version: string) => Number.parseInt(version, 10);

const lines = agentNodes
  .filter(({ version }) => majorOf(version) >= 22)
  .map((wanted) => ({ wanted, reports: openReports('node', `node-${majorOf(wanted.version)}`) }));

/** The reports of the last run. */
export const nodeLineReports = lines.map(({ reports }) => reports);

export async function runNodeLines(): Promise<Counts> {
  const counts: Counts[] = [];
  for (const { wanted, reports } of lines) {
    const node = await findNode(wanted);
    if (node === undefined) {
      printRow('skipped', `Node.js ${wanted.version}`, 'the registry does not give it');
      counts.push({ passed: 0, failed: 0, skipped: 1 });
      continue;
    }
    const started = performance.now();
    const { code, output } = await runVitest(reports, { node, more: quickPart, output: 'capture' });
    const found = countUnitTests(code, reports.tests.read());
    const isGood = found.failed === 0;
    printRow(
      isGood ? 'passed' : 'failed',
      `Node.js ${wanted.version}`,
      `${found.passed} passed`,
      performance.now() - started,
    );
    if (!isGood) process.stdout.write(output.slice(-4_000));
    counts.push(found);
  }
  return addCounts(counts);
}
