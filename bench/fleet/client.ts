import { type ConnectionSettings, connectDatabase, createLog } from '@pult/server/database';
import type { PoolClient } from 'pg';

/** One connection, on which settings last. */
export type Client = PoolClient;

/** Without the server's limit of 30 s a statement: building a fleet takes longer. */
export async function connectClient(
  settings: ConnectionSettings,
): Promise<{ client: Client; close(): Promise<void> }> {
  const { pool, close } = connectDatabase(settings, createLog('silent'), 1);
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  return {
    client,
    close: () => {
      client.release();
      return close();
    },
  };
}
