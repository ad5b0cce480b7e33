/** The property tests with all their runs: each file that uses fast-check. */

import { root, runCommand } from '../processes.mjs';
import type { Counts } from './report.ts';
import { countUnitTests, openReports, runVitest } from './unit-tests.ts';

/** The reports of the last run. */
export const propertyReports = openReports('node', 'properties');

export async function runPropertyTests(): Promise<Counts> {
  const { output } = await runCommand('git', ['grep', '-l', "from 'fast-check'", '--', '*.test.ts'], {
    cwd: root,
  });
  const { code } = await runVitest(propertyReports, {
    output: 'show',
    env: { PROPERTY_RUNS: 'all' },
    more: [...output.trim().split('\n'), '--testTimeout=600000'],
  });
  return countUnitTests(code, propertyReports.tests.read());
}
