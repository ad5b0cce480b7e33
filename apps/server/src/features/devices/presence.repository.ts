import type { ControllerStatus, StatusReason } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';
import { enrolmentOfController } from './enrolment-of-controller.repository.ts';

/** What a controller's status should be, and since when. */
export interface WantedStatus {
  enrolmentId: string;
  status: 'online' | 'offline';
  reason: StatusReason;
  /** Of the link that says so, where there is one. */
  generation?: number | undefined;
  at: Date;
}

export interface StatusChange {
  enrolmentId: string;
  serialNumber: string;
  organizationId: string;
  status: ControllerStatus;
  statusReason: StatusReason;
  statusSince: Date;
  lastSeenAt: Date | null;
}

export interface StatusWrite {
  changes: StatusChange[];
  /** Enrolments whose rows were held by somebody else. */
  busy: string[];
}

/** Whether the node that a controller's row names as its holder lives, as far as is known. */
const hasLivingHolder = sql<SqlBool>`exists (
  select from nodes where nodes.id = controllers.held_by and nodes.lease_until > now())`;

/** SQL of who is there. Written by the server itself for all organizations, so there is no tenant scope. */
export function createPresenceRepository(db: Database) {
  return {
    /**
     * Sets each status that differs, in one statement however many. A row that somebody else writes right now is
     * `busy`, and to be tried again: a whole fleet would wait for it otherwise. `holder`: the node that says so, where there are
     * several; of a device that another one holds it has nothing to say but that it is here now, and not even that by an older link
     * than the device was let in with last: a node that was cut off may still have one.
     */
    async setStatuses(wanted: readonly WantedStatus[], holder: string | null = null): Promise<StatusWrite> {
      const column = <Key extends 'enrolmentId' | 'status' | 'reason' | 'at'>(key: Key) =>
        wanted.map((row) => row[key]);
      // Whoever was never seen stays so until its first link.
      const differs = sql<SqlBool>`
        (wanted.status = 'online' or controllers.status = 'online')
        and (controllers.status <> wanted.status or controllers.status_reason <> wanted.reason
          or (wanted.status = 'online' and controllers.held_by is distinct from ${holder}::text))
        and (${holder}::text is null
          or (wanted.status = 'offline' and controllers.held_by = ${holder})
          or (wanted.status = 'online' and wanted.generation >=
            (select link_generation from enrolments where enrolments.id = controllers.enrolment_id)))`;
      const { rows } = await sql<StatusChange | { enrolmentId: string; serialNumber: null }>`
        with wanted as (
          select * from unnest(${column('enrolmentId')}::uuid[], ${column('status')}::text[],
            ${column('reason')}::text[], ${wanted.map(({ generation }) => generation ?? null)}::int[],
            ${column('at')}::timestamptz[]) as rows (enrolment_id, status, reason, generation, at)
        ), locked as (
          select controllers.id, wanted.*,
            controllers.status <> wanted.status or controllers.status_reason <> wanted.reason as is_shown
          from controllers join wanted using (enrolment_id)
          where ${differs} order by controllers.id for no key update of controllers skip locked
        ), changed as (
          update controllers set status = locked.status, status_reason = locked.reason,
            status_since = case when controllers.status = locked.status then controllers.status_since else locked.at end,
            -- Nobody saw it between the server's last end and now.
            last_seen_at = case when locked.reason = 'server_restart' then controllers.last_seen_at else locked.at end,
            held_by = case when locked.status = 'online' then ${holder} end
          from locked where controllers.id = locked.id
          returning controllers.*, locked.is_shown
        )
        select enrolment_id as "enrolmentId", serial_number as "serialNumber", organization_id as "organizationId",
          status, status_reason as "statusReason", status_since as "statusSince", last_seen_at as "lastSeenAt"
        from changed where is_shown
        union all
        select enrolment_id, null, null, null, null, null, null from controllers join wanted using (enrolment_id)
        where ${differs} and enrolment_id not in (select enrolment_id from locked)`.execute(db);
      const written: StatusWrite = { changes: [], busy: [] };
      for (const row of rows) {
        if (row.serialNumber === null) written.busy.push(row.enrolmentId);
        else written.changes.push(row);
      }
      return written;
    },

    /**
     * Those that nobody has touched since `before`, as they are now. Of those that a living node holds that node tells, however late
     * its touches are; one that comes back meanwhile is left alone: whoever holds it writes its row. Nobody is lost before the nodes have
     * been there for `graceMs`: after a stop of all, or a loss of all leases, devices take their time to come back.
     */
    async markLost(before: Date, now: Date, graceMs: number): Promise<StatusChange[]> {
      const { rows } = await sql<StatusChange>`
        update controllers set status = 'offline', status_reason = 'server_restart', status_since = ${now}, held_by = null
        where id in (
          select id from controllers where status = 'online' and (last_seen_at is null or last_seen_at < ${before})
            and not ${hasLivingHolder}
            and not exists (select from nodes where lease_until > now()
              having min(started_at) > now() - make_interval(secs => ${graceMs / 1000}))
          order by id for no key update skip locked
        )
        returning enrolment_id as "enrolmentId", serial_number as "serialNumber", organization_id as "organizationId",
          status, status_reason as "statusReason", status_since as "statusSince", last_seen_at as "lastSeenAt"`.execute(
        db,
      );
      return rows;
    },

    async touch(enrolmentIds: readonly string[], now: Date): Promise<void> {
      const ids = sql<string>`any(${[...enrolmentIds]}::uuid[])`;
      // A row that somebody else writes right now waits for the next touch: waiting for one while holding others
      // could meet a writer of many that does the same.
      await db
        .updateTable('controllers')
        .set({ last_seen_at: now })
        .where('id', 'in', (query) =>
          query
            .selectFrom('controllers')
            .select('id')
            .where('enrolment_id', '=', ids)
            // One that was lost meanwhile has been seen later than that.
            .where((eb) => eb.or([eb('last_seen_at', 'is', null), eb('last_seen_at', '<', now)]))
            .forNoKeyUpdate()
            .skipLocked(),
        )
        .execute();
      await db.updateTable('enrolments').set({ last_seen_at: now }).where('id', '=', ids).execute();
    },

    async listOnline(enrolmentIds: readonly string[]): Promise<string[]> {
      const query = db
        .selectFrom('controllers')
        .select(enrolmentOfController.as('id'))
        .where('status', '=', 'online');
      const rows = await query
        .where('enrolment_id', '=', sql<string>`any(${[...enrolmentIds]}::uuid[])`)
        .execute();
      return rows.map((row) => row.id);
    },

    async isAnyOnline(): Promise<boolean> {
      const query = db.selectFrom('controllers').select('id').where('status', '=', 'online');
      return (await query.limit(1).executeTakeFirst()) !== undefined;
    },

    /** Whether a node that lives, as far as is known, holds that device. */
    async isHeld(enrolmentId: string): Promise<boolean> {
      const query = db.selectFrom('controllers').select('id').where('enrolment_id', '=', enrolmentId);
      return (
        (await query.where('status', '=', 'online').where(hasLivingHolder).executeTakeFirst()) !== undefined
      );
    },

    async listOnlineEnrolments(): Promise<string[]> {
      const rows = await db
        .selectFrom('controllers')
        .select(enrolmentOfController.as('id'))
        .where('status', '=', 'online')
        .execute();
      return rows.map((row) => row.id);
    },
  };
}
export type PresenceRepository = ReturnType<typeof createPresenceRepository>;
