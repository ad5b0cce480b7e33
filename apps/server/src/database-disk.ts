import { findCluster, keepReserve, measureClusterRoom } from '@pult/embedded-postgres';
import { sql } from 'kysely';
import type { Config } from './config/config.ts';
import type { Database } from './platform/db/schema.ts';
import type { DatabaseDisk } from './platform/disk-guard.ts';

/** That of the embedded database; undefined where there is none. */
export async function findDatabaseDisk(config: Config, db: Database): Promise<DatabaseDisk | undefined> {
  if (config.database.url !== undefined) return undefined;
  const cluster = await findCluster(config.data.dir);
  if (cluster === undefined) return undefined;
  return {
    measureRoom: () => measureClusterRoom(cluster),
    keepReserve: () => keepReserve(cluster),
    async readMaxWalSize() {
      const { rows } = await sql<{ bytes: number }>`
        select pg_size_bytes(current_setting('max_wal_size'))::double precision as bytes`.execute(db);
      const [row] = rows;
      if (!row) throw new Error('PostgreSQL does not tell max_wal_size');
      return row.bytes;
    },
  };
}
