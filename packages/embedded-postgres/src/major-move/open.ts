import pg from 'pg';
import type { Connection } from '../connection.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '../embedded-postgres.ts';
import { speakPlainly } from './transfer.ts';

/** Of the embedded database, or of another by its address. */
export type ConnectionSettings = Connection | { url: string };

/** A database, by one session that reads and writes values plainly. */
export interface Opened {
  client: pg.Client;
  connection: ConnectionSettings;
}

export async function withClient<Result>(
  connection: ConnectionSettings,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client('url' in connection ? { connectionString: connection.url } : connection);
  // Whoever asks is told by the query.
  client.on('error', () => {});
  try {
    await client.connect();
    await speakPlainly(client);
    return await work({ client, connection });
  } finally {
    await client.end().catch(() => {});
  }
}

/** The embedded database of a data folder, run for as long as the work takes. */
export async function withPostgres<Result>(
  options: EmbeddedPostgresOptions,
  work: (opened: Opened) => Promise<Result>,
): Promise<Result> {
  const postgres = await startEmbeddedPostgres({ restartPausesMs: [], ...options });
  try {
    return await withClient(postgres.connection, work);
  } finally {
    await postgres.stop();
  }
}
