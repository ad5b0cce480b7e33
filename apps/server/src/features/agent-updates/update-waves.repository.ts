import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';
import { createUpdates, targetColumns } from './agent-updates.repository.ts';

/** Those that the server has begun by itself for a version, and those of them that did not link. */
export interface BegunUpdates {
  begun: number;
  open: number;
  returned: number;
}

/** SQL of the waves in which a version gets to all agents, of whichever organization. */
export function createUpdateWavesRepository(db: Database) {
  return {
    /** How far a version is; begun where it was not. */
    async getWave(version: string, now: Date): Promise<{ wave: number; isStopped: boolean }> {
      await db
        .insertInto('agent_update_waves')
        .values({ version, wave: 0, started_at: now, stopped_at: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const row = await db
        .selectFrom('agent_update_waves')
        .select(['wave', 'stopped_at'])
        .where('version', '=', version)
        .executeTakeFirstOrThrow();
      return { wave: row.wave, isStopped: row.stopped_at !== null };
    },

    async setWave(version: string, wave: number): Promise<void> {
      await db.updateTable('agent_update_waves').set({ wave }).where('version', '=', version).execute();
    },

    async stopWaves(version: string, now: Date): Promise<void> {
      await db
        .updateTable('agent_update_waves')
        .set({ stopped_at: now })
        .where('version', '=', version)
        .execute();
    },

    countBegun: (version: string): Promise<BegunUpdates> =>
      db
        .selectFrom('agent_updates')
        .select([
          sql<number>`count(*)::double precision`.as('begun'),
          sql<number>`(count(*) filter (where status in ('waiting', 'running')))::double precision`.as(
            'open',
          ),
          sql<number>`(count(*) filter (where status = 'returned' or reason = 'silent'))::double precision`.as(
            'returned',
          ),
        ])
        .where('is_automatic', '=', true)
        .where('to_version', '=', version)
        .executeTakeFirstOrThrow(),

    /** How many agents there are of each version. */
    async countVersions(): Promise<Map<string, number>> {
      const rows = await db
        .selectFrom('controllers')
        .select(['agent_version as version', sql<number>`count(*)::double precision`.as('count')])
        .where('connection_kind', '=', 'agent')
        .groupBy('agent_version')
        .execute();
      return new Map(rows.map(({ version, count }) => [version, count]));
    },

    /** Online and of one of these versions, in an order that has nothing to do with whose they are; not tried in vain before. */
    listCandidates: (version: string, older: readonly string[], limit: number) =>
      db
        .selectFrom('controllers')
        .select(targetColumns)
        .where('controllers.connection_kind', '=', 'agent')
        .where('controllers.status', '=', 'online')
        .where('controllers.agent_version', '=', sql<string>`any(${[...older]}::text[])`)
        .where(
          sql<boolean>`not exists (select from agent_updates where agent_updates.controller_id = controllers.id
            and (agent_updates.status in ('waiting', 'running') or agent_updates.to_version = ${version}))`,
        )
        .orderBy(sql`md5(controllers.id::text || ${version})`)
        .limit(limit)
        .execute(),

    createUpdates: (updates: Parameters<typeof createUpdates>[1]) => createUpdates(db, updates),
  };
}
export type UpdateWavesRepository = ReturnType<typeof createUpdateWavesRepository>;
