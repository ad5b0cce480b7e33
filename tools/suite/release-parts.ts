/** What `npm run test:release` runs beside `npm test`: what a release needs to be trusted, in parts of their own. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findPodmanObstacle } from '@pult/testkit';
import { ensureBuilt } from '../build.mjs';
import { openEndToEndReport, runEndToEndTests } from '../e2e.ts';
import { root, runCommand } from '../processes.mjs';
import { PlainError, runStep } from '../terminal.mjs';
import { nodeLineReports, runNodeLines } from './node-lines.ts';
import { otherDatabaseReports, runOverOtherDatabase } from './other-database.ts';
import { propertyReports, runPropertyTests } from './property-tests.ts';
import type { Counts } from './report.ts';
import type { Part } from './run.ts';
import { countUnitTests, openReports, readReports, runVitest } from './unit-tests.ts';

/** Without a build none of them runs. */
export const releaseBuild: Part = { name: 'Build', run: ensureBuilt, isRequired: true };

const pictures = openEndToEndReport('pictures');

export const releaseParts: readonly Part[] = [
  testFolder('package', makePackages),
  testFolder('systems'),
  testFolder('nodes'),
  testFolder('lines'),
  testFolder('frpc'),
  testFolder('data-fixtures'),
  testFolder('postgres-move'),
  testFolder('kills'),
  testFolder('acme'),
  testFolder('demo'),
  testFolder('full-disk'),
  testFolder('emulation'),
  testFolder('adding'),
  {
    name: 'other-node',
    run: runNodeLines,
    readReports: () => ({ vitest: readReports(nodeLineReports) }),
  },
  {
    name: 'other-postgres',
    run: runOverOtherDatabase,
    readReports: () => ({ vitest: readReports([otherDatabaseReports]) }),
  },
  {
    name: 'properties',
    run: runPropertyTests,
    readReports: () => ({ vitest: readReports([propertyReports]) }),
  },
  {
    name: 'pictures',
    run: () =>
      runEndToEndTests(['screenshots'], {
        report: pictures,
        env: { UPDATE_SCREENSHOTS: '0' },
        output: 'capture',
      }),
    readReports: () => ({ playwright: pictures.read() }),
  },
];

/** A part that is a folder of `tests/release`, with what it needs before it. */
function testFolder(name: string, prepare?: () => Promise<Record<string, string>>): Part {
  const reports = openReports('release', `release-${name}`);
  return {
    name,
    async run(): Promise<Counts> {
      const env = await prepare?.();
      const { code } = await runVitest(reports, {
        output: 'show',
        more: [`tests/release/${name}/`],
        ...(env && { env }),
      });
      return countUnitTests(code, reports.tests.read());
    },
    readReports: () => ({ vitest: readReports([reports]) }),
  };
}

/** What `npm run package` makes, for the tests that install it. */
async function makePackages(): Promise<Record<string, string>> {
  const folder = join(root, 'test-results', 'packages');
  await rm(folder, { recursive: true, force: true });
  await runStep('packages', async () => {
    const args = ['tools/run.mjs', 'package', '--out', folder, ...(findPodmanObstacle() ? [] : ['--image'])];
    const { code, output } = await runCommand(process.execPath, args);
    if (code !== 0) throw new PlainError(`npm run package ended with ${code}:\n${output}`);
  });
  return { PULT_PACKAGES: folder };
}
