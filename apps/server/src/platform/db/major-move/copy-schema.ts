import type { Logger } from '../../log.ts';
import { type ConnectionSettings, connectDatabase } from '../connect.ts';
import { migrateTo, readSchemaState } from '../migrate.ts';

/** Makes our tables and the queue's in an empty database, by the migrations that were done to the old one. */
export async function copySchema(
  { old, made }: { old: ConnectionSettings; made: ConnectionSettings },
  log: Logger,
): Promise<void> {
  const from = connectDatabase(old, log, 1);
  const to = connectDatabase(made, log, 2);
  try {
    const { rows } = await from.pool.query("select to_regnamespace('graphile_worker') is not null as there");
    await migrateTo(to, log, { state: await readSchemaState(from.db), hasQueue: rows[0].there });
  } finally {
    await Promise.all([from.close(), to.close()]);
  }
}
