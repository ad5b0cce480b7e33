import { sql } from 'kysely';
import type pg from 'pg';
import type { Feature } from '../feature.ts';
import { sample, samplesBy, shareReading } from '../prometheus/metric.ts';
import type { Database } from './schema.ts';

/** How the connections of a pool are used. */
export type PoolState = Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount' | 'options'>;

/** The database as the server sees it. */
export function createDatabaseMetrics({ db, pool }: { db: Database; pool: PoolState }): Feature {
  const measure = shareReading(async () => {
    const begun = performance.now();
    const { rows } = await sql<{ size: number }>`
      select pg_database_size(current_database())::double precision as size`.execute(db);
    return { size: rows[0]?.size ?? 0, seconds: (performance.now() - begun) / 1000 };
  });
  return {
    name: 'database',
    metrics: [
      {
        name: 'pult_database_up',
        help: 'Whether the database answers',
        type: 'gauge',
        read: () =>
          measure().then(
            () => sample(1),
            () => sample(0),
          ),
      },
      {
        name: 'pult_database_size_bytes',
        help: 'Size of the database on its disk, without its log of changes',
        type: 'gauge',
        read: async () => sample((await measure()).size),
      },
      {
        name: 'pult_database_answer_seconds',
        help: 'How long the database took for the question of this answer, the wait for a connection included',
        type: 'gauge',
        read: async () => sample((await measure()).seconds),
      },
      {
        name: 'pult_database_connections',
        help: 'Connections to the database',
        type: 'gauge',
        labels: ['state'],
        read: () =>
          samplesBy('state', [
            ['busy', pool.totalCount - pool.idleCount],
            ['idle', pool.idleCount],
          ]),
      },
      {
        name: 'pult_database_connections_limit',
        help: 'Connections to the database that there may be',
        type: 'gauge',
        read: () => sample(pool.options.max),
      },
      {
        name: 'pult_database_connections_awaited',
        help: 'Pieces of work that wait for a connection to the database',
        type: 'gauge',
        read: () => sample(pool.waitingCount),
      },
    ],
  };
}
