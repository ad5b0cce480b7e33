import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { ControlMeta, TelemetryTitle } from '../devices/index.ts';

interface ControlKey {
  controllerId: string;
  device: string;
  control: string;
}
export interface ControlValue extends ControlKey {
  value: string;
  at: Date;
}
export interface ControlDescription extends ControlKey {
  meta: ControlMeta;
}
export interface DeviceTitle {
  controllerId: string;
  device: string;
  title: TelemetryTitle;
}

/** Each column as an array, in the order in which `unnest` names them. */
function keyArrays(rows: readonly ControlKey[]) {
  return sql`${rows.map((row) => row.controllerId)}::uuid[], ${rows.map((row) => row.device)}::text[],
    ${rows.map((row) => row.control)}::text[]`;
}

/** SQL of the last values. Writers are given what devices told; readers take the scope of whoever asks. */
export function createControlsRepository(db: Database) {
  return {
    /** The controllers to which these added controls, once for each. */
    async saveValues(
      transaction: DatabaseTransaction,
      rows: readonly ControlValue[],
      now: Date,
    ): Promise<string[]> {
      if (rows.length === 0) return [];
      const result = await sql<{ controllerId: string; isNew: boolean }>`
        insert into mqtt_controls (controller_id, device, control, value, updated_at, seen_at)
        select n.*, ${now}::timestamptz from unnest(${keyArrays(rows)}, ${rows.map((row) => row.value)}::text[],
          ${rows.map((row) => row.at.toISOString())}::timestamptz[]) as n
        on conflict (controller_id, device, control) do update
          set value = excluded.value, updated_at = excluded.updated_at, seen_at = excluded.seen_at
        returning controller_id as "controllerId", xmax = 0 as "isNew"`.execute(transaction);
      return result.rows.filter(({ isNew }) => isNew).map(({ controllerId }) => controllerId);
    },

    async saveDescriptions(
      transaction: DatabaseTransaction,
      rows: readonly ControlDescription[],
      now: Date,
    ): Promise<string[]> {
      if (rows.length === 0) return [];
      const metas = rows.map(({ meta }) => meta);
      const result = await sql<{ controllerId: string; isNew: boolean }>`
        insert into mqtt_controls
          (controller_id, device, control, title_en, title_ru, type, units, sort_order, readonly, error, value_titles, seen_at)
        select n.*, ${now}::timestamptz from unnest(${keyArrays(rows)},
          ${metas.map(({ title }) => title.en)}::text[], ${metas.map(({ title }) => title.ru)}::text[],
          ${metas.map(({ type }) => type)}::text[], ${metas.map(({ units }) => units)}::text[],
          ${metas.map(({ order }) => order)}::integer[], ${metas.map(({ readonly }) => readonly)}::boolean[],
          ${metas.map(({ error }) => error)}::text[],
          ${metas.map(({ enum: titles }) => (titles ? JSON.stringify(titles) : null))}::jsonb[]) as n
        on conflict (controller_id, device, control) do update
          set title_en = excluded.title_en, title_ru = excluded.title_ru, type = excluded.type,
            units = excluded.units, sort_order = excluded.sort_order, readonly = excluded.readonly,
            error = excluded.error, value_titles = excluded.value_titles, seen_at = excluded.seen_at
        returning controller_id as "controllerId", xmax = 0 as "isNew"`.execute(transaction);
      return result.rows.filter(({ isNew }) => isNew).map(({ controllerId }) => controllerId);
    },

    /** The controllers that lost a control by it, once for each. */
    async deleteControls(transaction: DatabaseTransaction, rows: readonly ControlKey[]): Promise<string[]> {
      if (rows.length === 0) return [];
      const result = await sql<{ controllerId: string }>`
        delete from mqtt_controls c using unnest(${keyArrays(rows)}) as n (controller_id, device, control)
        where c.controller_id = n.controller_id and c.device = n.device and c.control = n.control
        returning c.controller_id as "controllerId"`.execute(transaction);
      return result.rows.map(({ controllerId }) => controllerId);
    },

    /** Which of these are stored. */
    async listKnown(transaction: DatabaseTransaction, rows: readonly ControlKey[]): Promise<ControlKey[]> {
      const result = await sql<ControlKey>`
        select c.controller_id as "controllerId", c.device, c.control
        from unnest(${keyArrays(rows)}) as n (controller_id, device, control)
        join mqtt_controls c using (controller_id, device, control)`.execute(transaction);
      return result.rows;
    },

    /** No more than `limit` devices of a controller are kept; those beyond it are left out. */
    async saveTitles(
      transaction: DatabaseTransaction,
      rows: readonly DeviceTitle[],
      now: Date,
      limit: number,
    ): Promise<void> {
      if (rows.length === 0) return;
      await sql`
        insert into mqtt_devices (controller_id, device, title_en, title_ru, seen_at)
        select n.controller_id, n.device, n.en, n.ru, ${now}::timestamptz
        from (
          select *, row_number() over (partition by controller_id) as place from unnest(
            ${rows.map((row) => row.controllerId)}::uuid[], ${rows.map((row) => row.device)}::text[],
            ${rows.map((row) => row.title.en)}::text[], ${rows.map((row) => row.title.ru)}::text[]
          ) as each (controller_id, device, en, ru)
        ) n
        where n.place + (select count(*) from mqtt_devices d where d.controller_id = n.controller_id) <= ${limit}
          or exists (select from mqtt_devices d where d.controller_id = n.controller_id and d.device = n.device)
        on conflict (controller_id, device) do update
          set title_en = excluded.title_en, title_ru = excluded.title_ru, seen_at = excluded.seen_at`.execute(
        transaction,
      );
    },

    /** What devices that are heard have not told of since then, though they tell everything every day. */
    async deleteUnseen(since: Date): Promise<void> {
      const isUnseen = sql<boolean>`seen_at < ${since} and exists (
        select from telemetry_offsets o where o.controller_id = t.controller_id and o.received_at > t.seen_at + interval '2 days')`;
      await sql`
        with gone as (delete from mqtt_controls t where ${isUnseen} returning controller_id)
        update telemetry_offsets o set controls = greatest(0, controls - lost.count)
        from (select controller_id, count(*)::integer as count from gone group by 1) lost
        where o.controller_id = lost.controller_id`.execute(db);
      await sql`delete from mqtt_devices t where ${isUnseen}`.execute(db);
    },

    async getReceivedAt(scope: Scope, controllerId: string): Promise<Date | null> {
      const row = await db
        .selectFrom('telemetry_offsets')
        .innerJoin('controllers', 'controllers.id', 'telemetry_offsets.controller_id')
        .select('received_at')
        .where('controllers.id', '=', controllerId)
        .where(visibleControllers(scope))
        .executeTakeFirst();
      return row?.received_at ?? null;
    },

    listControls: (scope: Scope, controllerId: string) =>
      db
        .selectFrom('mqtt_controls')
        .innerJoin('controllers', 'controllers.id', 'mqtt_controls.controller_id')
        .leftJoin('mqtt_devices', (join) =>
          join
            .onRef('mqtt_devices.controller_id', '=', 'mqtt_controls.controller_id')
            .onRef('mqtt_devices.device', '=', 'mqtt_controls.device'),
        )
        .selectAll('mqtt_controls')
        .select(['mqtt_devices.title_en as device_title_en', 'mqtt_devices.title_ru as device_title_ru'])
        .where('controllers.id', '=', controllerId)
        .where(visibleControllers(scope))
        .orderBy('mqtt_controls.device')
        .orderBy('mqtt_controls.sort_order', (order) => order.asc().nullsLast())
        .orderBy('mqtt_controls.control')
        .execute(),
  };
}
export type ControlsRepository = ReturnType<typeof createControlsRepository>;
export type ControlRow = Awaited<ReturnType<ControlsRepository['listControls']>>[number];
