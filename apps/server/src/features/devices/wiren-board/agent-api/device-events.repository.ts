import { type Selectable, sql } from 'kysely';
import type { Database, DeviceEventTable } from '../../../../platform/db/schema.ts';

export type DeviceEvent = Selectable<DeviceEventTable>;

export interface WantedEvent {
  enrolmentId: string;
  code: string;
  id: string;
  version: Buffer;
  now: Date;
}

export interface LastLink {
  lastSeenAt: Date | null;
  /** The end of its last link, if that is over, is not written down yet. */
  isOnline: boolean;
  /** Null where there are no several. */
  newestNodeMs: number | null;
}

/** SQL of what devices are to be told. A device asks for its own rows alone: what selects them is its proven enrolment. */
export function createDeviceEventsRepository(db: Database) {
  return {
    listEvents: (enrolmentId: string): Promise<DeviceEvent[]> =>
      db.selectFrom('device_events').selectAll().where('enrolment_id', '=', enrolmentId).execute(),

    /**
     * In the place of what was to be told of this sort. The same again, once it was confirmed, is a repeat. Undefined where the device is
     * forgotten.
     */
    async putEvent({ enrolmentId, code, id, version, now }: WantedEvent): Promise<DeviceEvent | undefined> {
      const { rows } = await sql<DeviceEvent>`
        insert into device_events as t (enrolment_id, code, id, version, created_at)
        select id, ${code}, ${id}::uuid, ${version}::bytea, ${now}::timestamptz from enrolments
        where enrolments.id = ${enrolmentId}::uuid
        on conflict (enrolment_id, code) do update set id = excluded.id, version = excluded.version,
          created_at = excluded.created_at, confirmed_at = null,
          repeats = case when t.version <> excluded.version then 0 when t.confirmed_at is null then t.repeats
            else t.repeats + 1 end
        returning t.*`.execute(db);
      return rows[0];
    },

    /** That it has what an event says, by whatever way; the event that says it is confirmed with it. */
    async putKnown({ enrolmentId, code, id, version, now }: WantedEvent): Promise<void> {
      await sql`
        insert into device_events as t (enrolment_id, code, id, version, created_at, confirmed_at)
        select id, ${code}, ${id}::uuid, ${version}::bytea, ${now}::timestamptz, ${now}::timestamptz from enrolments
        where enrolments.id = ${enrolmentId}::uuid
        on conflict (enrolment_id, code) do update set version = excluded.version, confirmed_at = excluded.confirmed_at
        where t.version <> excluded.version or t.confirmed_at is null`.execute(db);
    },

    async confirm(enrolmentId: string, id: string, now: Date): Promise<void> {
      await db
        .updateTable('device_events')
        .set({ confirmed_at: now })
        .where('enrolment_id', '=', enrolmentId)
        .where('id', '=', id)
        .where('confirmed_at', 'is', null)
        .execute();
    },

    /** What was told again was of use, or was not needed: it is as good as confirmed. */
    clearRepeats: (enrolmentId: string, code: string, now: Date): Promise<DeviceEvent | undefined> =>
      db
        .updateTable('device_events')
        .set({ repeats: 0, confirmed_at: sql<Date>`coalesce(confirmed_at, ${now}::timestamptz)` })
        .where('enrolment_id', '=', enrolmentId)
        .where('code', '=', code)
        .where('repeats', '>', 0)
        .returningAll()
        .executeTakeFirst(),

    /** When a device was linked last, and how long the newest node has been there, of several. Nodes are compared by the database's clock. */
    async getLastLink(enrolmentId: string): Promise<LastLink> {
      const { rows } = await sql<LastLink>`
        select last_seen_at as "lastSeenAt", coalesce(status = 'online', false) as "isOnline",
          1000 * extract(epoch from now() - newest.started_at)::float8 as "newestNodeMs"
        from (select max(started_at) as started_at from nodes where lease_until > now()) as newest
        left join controllers on controllers.enrolment_id = ${enrolmentId}::uuid`.execute(db);
      return rows[0] ?? { lastSeenAt: null, isOnline: false, newestNodeMs: null };
    },

    async deleteEvent(enrolmentId: string, code: string): Promise<void> {
      await db
        .deleteFrom('device_events')
        .where('enrolment_id', '=', enrolmentId)
        .where('code', '=', code)
        .execute();
    },

    /** What a device was told is not so any more: it has forgotten this server. */
    async deleteEvents(enrolmentId: string): Promise<void> {
      await db.deleteFrom('device_events').where('enrolment_id', '=', enrolmentId).execute();
    },
  };
}
export type DeviceEventsRepository = ReturnType<typeof createDeviceEventsRepository>;
