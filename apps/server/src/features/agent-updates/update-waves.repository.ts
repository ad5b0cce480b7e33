import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { createUpdates, targetColumns } from './agent-updates.repository.ts';

/** Those that the server has begun by itself for a version. */
export interface BegunUpdates {
  begun: number;
  open: number;
}

/** Why no more are begun: one went back to its version before, or was not heard of again. */
export interface WaveStop {
  reason: 'returned' | 'silent';
  /** A device's own words. */
  detail: string | null;
}

/** How far a version is. */
export interface WaveState {
  wave: number;
  stopped: (WaveStop & { at: Date }) | undefined;
}

/** SQL of the waves in which a version gets to all agents, of whichever organization. */
export function createUpdateWavesRepository(db: Database) {
  return {
    async beginWave(version: string, now: Date): Promise<void> {
      await db
        .insertInto('agent_update_waves')
        .values({
          ...{ version, wave: 0, started_at: now },
          ...{ stopped_at: null, stopped_reason: null, stopped_detail: null, resumed_at: null },
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Undefined before the first wave. */
    async getWave(version: string): Promise<WaveState | undefined> {
      const row = await db
        .selectFrom('agent_update_waves')
        .select(['wave', 'stopped_at', 'stopped_reason', 'stopped_detail'])
        .where('version', '=', version)
        .executeTakeFirst();
      if (!row) return undefined;
      const { wave, stopped_at: at, stopped_reason: reason, stopped_detail: detail } = row;
      return { wave, stopped: at && reason ? { at, reason, detail } : undefined };
    },

    async setWave(version: string, wave: number): Promise<void> {
      await db.updateTable('agent_update_waves').set({ wave }).where('version', '=', version).execute();
    },

    async stopWaves(version: string, { reason, detail }: WaveStop, now: Date): Promise<void> {
      await db
        .updateTable('agent_update_waves')
        .set({ stopped_at: now, stopped_reason: reason, stopped_detail: detail })
        .where('version', '=', version)
        .execute();
    },

    /** False when they had not stopped. */
    async resumeWaves(transaction: DatabaseTransaction, version: string, now: Date): Promise<boolean> {
      const row = await transaction
        .updateTable('agent_update_waves')
        .set({ stopped_at: null, stopped_reason: null, stopped_detail: null, resumed_at: now })
        .where('version', '=', version)
        .where('stopped_at', 'is not', null)
        .returning('version')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The first that did not link since somebody had them go on. */
    async findReturned(version: string): Promise<WaveStop | undefined> {
      const row = await db
        .selectFrom('agent_updates')
        .innerJoin('agent_update_waves', 'agent_update_waves.version', 'agent_updates.to_version')
        .select(['agent_updates.status', 'agent_updates.detail'])
        .where('agent_updates.is_automatic', '=', true)
        .where('agent_updates.to_version', '=', version)
        .where(sql<boolean>`(agent_updates.status = 'returned' or agent_updates.reason = 'silent')`)
        .where(sql<boolean>`agent_updates.finished_at > coalesce(agent_update_waves.resumed_at, '-infinity')`)
        .orderBy('agent_updates.finished_at')
        .limit(1)
        .executeTakeFirst();
      return row && { reason: row.status === 'returned' ? 'returned' : 'silent', detail: row.detail };
    },

    countBegun: (version: string): Promise<BegunUpdates> =>
      db
        .selectFrom('agent_updates')
        .select([
          sql<number>`count(*)::double precision`.as('begun'),
          sql<number>`(count(*) filter (where status in ('waiting', 'running')))::double precision`.as(
            'open',
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
