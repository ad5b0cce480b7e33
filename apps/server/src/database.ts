/**
 * The way to the database of a server that runs, for what writes into it past the server: seeds of tests, benches and the
 * demo. It loads little, where `testing.ts` loads the whole server. Production code never imports this.
 */

import { findRunningPostgres } from '@pult/embedded-postgres';
import { loadSecrets } from './config/secrets.ts';
import { createLoginToken } from './features/devices/login-token.ts';
import { type ConnectionSettings, connectDatabase, type DatabaseConnection } from './platform/db/connect.ts';
import { createLog } from './platform/log.ts';

export type { Database } from './platform/db/schema.ts';
export { createId } from './platform/ids.ts';
export { type ConnectionSettings, connectDatabase, createLog };

const log = createLog('warn');

/** Of the server with that data folder. Rejects when its embedded database does not run. */
export async function findDatabase(dataDir: string): Promise<ConnectionSettings> {
  const { databasePassword } = await loadSecrets(dataDir, log);
  const settings = await findRunningPostgres(dataDir, databasePassword);
  if (!settings) throw new Error('the embedded database does not run');
  return settings;
}

/** One connection to it; the caller closes it. */
export async function openDatabase(dataDir: string): Promise<DatabaseConnection> {
  return connectDatabase(await findDatabase(dataDir), log, 1);
}

/** Makes what devices of that server log in with that have no key to sign by, as long as nobody has released them. */
export async function openLoginTokens(
  dataDir: string,
): Promise<(device: { serialNumber: string; publicKey: Buffer }) => string> {
  const { activationKey } = await loadSecrets(dataDir, log);
  return (device) => createLoginToken(activationKey, { ...device, epoch: 0 });
}
