import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';

/** What is set and counted for the web interfaces of one controller. */
export interface WebCacheRow {
  controllerId: string;
  organizationId: string;
  enabled: boolean;
  savedBytes: number;
}

/** SQL of the settings and counters of the web cache, one row a controller once there is something to say. */
export function createWebCacheRepository(db: Database) {
  return {
    /** Undefined for a controller out of scope. `transaction`: locks the controller's row, for a change. */
    async get(
      scope: Scope,
      serialNumber: string,
      transaction?: DatabaseTransaction,
    ): Promise<WebCacheRow | undefined> {
      const query = (transaction ?? db)
        .selectFrom('controllers')
        .leftJoin('web_caches', 'web_caches.controller_id', 'controllers.id')
        .select([
          'controllers.id as controllerId',
          'controllers.organization_id as organizationId',
          'web_caches.enabled',
          'web_caches.saved_bytes as savedBytes',
        ])
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(scope));
      const row = await (transaction ? query.forNoKeyUpdate('controllers') : query).executeTakeFirst();
      if (!row) return undefined;
      return { ...row, enabled: row.enabled ?? true, savedBytes: Number(row.savedBytes ?? 0) };
    },

    async setEnabled(
      transaction: DatabaseTransaction,
      { controllerId }: Pick<WebCacheRow, 'controllerId'>,
      enabled: boolean,
    ): Promise<void> {
      await transaction
        .insertInto('web_caches')
        .values({ controller_id: controllerId, enabled })
        .onConflict((conflict) => conflict.column('controller_id').doUpdateSet({ enabled }))
        .execute();
    },

    /** Adds to the counters, in one statement; those of a controller that is gone are left out. */
    async addSaved(saved: ReadonlyMap<string, number>): Promise<void> {
      await sql`
        insert into web_caches (controller_id, saved_bytes)
        select controllers.id, counted.bytes
        from unnest(${[...saved.keys()]}::uuid[], ${[...saved.values()]}::bigint[]) as counted (controller_id, bytes)
        join controllers on controllers.id = counted.controller_id
        order by controllers.id
        for key share of controllers
        on conflict (controller_id) do update set saved_bytes = web_caches.saved_bytes + excluded.saved_bytes`.execute(
        db,
      );
    },
  };
}
export type WebCacheRepository = ReturnType<typeof createWebCacheRepository>;
