/**
 * What rests on SQL most, once more over a database of somebody's own: Debian's PostgreSQL, older than ours and set up as
 * Debian does. The rest runs over the embedded one, and so does the access matrix of whole organizations: it takes more
 * than a minute by itself, and that of parts asks the same calls in more ways.
 */

import { startDebianPostgres } from '@pult/testkit';
import { databasePortVariable } from '../../packages/testkit/src/vitest-database.ts';
import type { Counts } from './report.ts';
import { countUnitTests, openReports, runVitest } from './unit-tests.ts';

const features = 'apps/server/src/features';

const parts = [
  'apps/server/src/platform/db/migrat',
  'apps/server/src/access-matrix.parts.test.ts',
  `${features}/grants/`,
  `${features}/accounts/tokens/`,
  `${features}/accounts/passkeys/`,
  `${features}/accounts/device-logins/`,
  `${features}/tunnels/guests/`,
  `${features}/tunnels/tcp/`,
  `${features}/tunnels/access-end.test.ts`,
  `${features}/tunnels/service-access.test.ts`,
  `${features}/tunnels/token-access.test.ts`,
  `${features}/tunnels/jump/access-end.test.ts`,
  `${features}/tunnels/jump/jump-login.test.ts`,
  `${features}/tunnels/jump/short-keys.test.ts`,
  `${features}/telemetry/fleet/fleet-of-a-part.test.ts`,
  `${features}/alerts/`,
  `${features}/service-accounts/`,
  `${features}/sign-in/`,
  `${features}/webhooks/`,
  'apps/server/src/platform/delivery/',
  'apps/server/src/cli/tokens.test.ts',
];

/** The reports of the last run. */
export const otherDatabaseReports = openReports('node', 'other-database');

export async function runOverOtherDatabase(): Promise<Counts> {
  await using database = await startDebianPostgres();
  const { code, output } = await runVitest(otherDatabaseReports, {
    env: { [databasePortVariable]: String(database.port) },
    more: parts,
    output: 'capture',
  });
  const counts = countUnitTests(code, otherDatabaseReports.tests.read());
  if (counts.failed > 0) process.stdout.write(output.slice(-4_000));
  return counts;
}
