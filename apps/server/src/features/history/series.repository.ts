import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { controlKey } from './core/told-values.ts';

export interface ControlKey {
  controllerId: string;
  device: string;
  control: string;
}

/** A control that is stored, with its series if it has one. */
interface KnownControl extends ControlKey {
  type: string | null;
  hasTitles: boolean;
  seriesId: number | null;
}

/** Each column as an array, in the order in which `unnest` names them. */
function keyArrays(keys: readonly ControlKey[]) {
  return sql`${keys.map(({ controllerId }) => controllerId)}::uuid[], ${keys.map(({ device }) => device)}::text[],
    ${keys.map(({ control }) => control)}::text[]`;
}

/** SQL of which controls have a history. Writers are given what devices told; readers take the scope of whoever asks. */
export function createSeriesRepository(db: Database) {
  return {
    async listKnown(transaction: DatabaseTransaction, keys: readonly ControlKey[]): Promise<KnownControl[]> {
      const { rows } = await sql<KnownControl & { seriesId: string | null }>`
        select controller_id as "controllerId", device, control, c.type, c.value_titles is not null as "hasTitles",
          s.id as "seriesId"
        from unnest(${keyArrays(keys)}) as n (controller_id, device, control)
        join mqtt_controls c using (controller_id, device, control)
        left join history_series s using (controller_id, device, control)`.execute(transaction);
      return rows.map((row) => ({ ...row, seriesId: row.seriesId === null ? null : Number(row.seriesId) }));
    },

    /** Of each of these controllers, how many of its series were heard since then. */
    async countActive(
      transaction: DatabaseTransaction,
      controllerIds: readonly string[],
      since: Date,
    ): Promise<ReadonlyMap<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select controller_id as id, count(*)::int as count from history_series
        where controller_id = any(${[...controllerIds]}::uuid[]) and last_at >= ${since}
        group by 1`.execute(transaction);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },

    /** Their ids, in the same order. The controllers' offsets are locked, so nobody else makes them meanwhile. */
    async createSeries(
      transaction: DatabaseTransaction,
      keys: readonly ControlKey[],
      now: Date,
    ): Promise<number[]> {
      if (keys.length === 0) return [];
      const rows = await transaction
        .insertInto('history_series')
        .values(
          keys.map(({ controllerId, device, control }) => ({
            controller_id: controllerId,
            device,
            control,
            first_at: now,
            last_at: now,
          })),
        )
        .returning(['id', 'controller_id', 'device', 'control'])
        .execute();
      const ids = new Map(rows.map((row) => [row.controller_id + controlKey(row), row.id]));
      return keys.map((key) => Number(ids.get(key.controllerId + controlKey(key))));
    },

    /** Those of these controls that have one. */
    async findSeries(
      scope: Scope,
      controllerId: string,
      controls: readonly { device: string; control: string }[],
    ): Promise<{ id: number; device: string; control: string }[]> {
      const keys = controls.map((each) => ({ ...each, controllerId }));
      const rows = await db
        .selectFrom('history_series')
        .innerJoin('controllers', 'controllers.id', 'history_series.controller_id')
        .select(['history_series.id', 'device', 'control'])
        .where('controllers.id', '=', controllerId)
        .where(visibleControllers(scope))
        .where(
          sql<boolean>`(device, control) in (select n.device, n.control
            from unnest(${keyArrays(keys)}) as n (controller_id, device, control))`,
        )
        .execute();
      return rows.map(({ id, device, control }) => ({ id: Number(id), device, control }));
    },

    /** Those of this control at these controllers of an organization. */
    async findSeriesOf(
      scope: Scope,
      organizationId: string,
      serialNumbers: readonly string[],
      { device, control }: { device: string; control: string },
    ): Promise<{ id: number; controllerId: string; serialNumber: string }[]> {
      const rows = await db
        .selectFrom('history_series')
        .innerJoin('controllers', 'controllers.id', 'history_series.controller_id')
        .select(['history_series.id', 'controller_id as controllerId', 'serial_number as serialNumber'])
        .where('organization_id', '=', organizationId)
        .where('serial_number', 'in', serialNumbers)
        .where(visibleControllers(scope))
        .where('device', '=', device)
        .where('control', '=', control)
        .execute();
      return rows.map((row) => ({ ...row, id: Number(row.id) }));
    },
  };
}
export type SeriesRepository = ReturnType<typeof createSeriesRepository>;
