import type { ControllerStatus, StatusReason } from '@pult/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';

export interface StatusChange {
  serialNumber: string;
  organizationId: string;
  status: ControllerStatus;
  statusReason: StatusReason;
  statusSince: Date;
  lastSeenAt: Date | null;
}

/** SQL of who is there. Written by the server itself for all organizations, so there is no tenant scope. */
export function createPresenceRepository(db: Database) {
  return {
    /** Sets the status if it differs; what was changed, or undefined. */
    async setStatus(
      enrolmentId: string,
      status: 'online' | 'offline',
      reason: StatusReason,
      now: Date,
    ): Promise<StatusChange | undefined> {
      return (
        db
          .updateTable('controllers')
          .set({
            status,
            status_reason: reason,
            status_since: sql<Date>`case when status = ${status} then status_since else ${now}::timestamptz end`,
            // Nobody saw it between the server's last end and now.
            ...(reason === 'server_restart' ? {} : { last_seen_at: now }),
          })
          .where('enrolment_id', '=', enrolmentId)
          // One never seen stays so until its first link.
          .$if(status === 'offline', (query) => query.where('status', '=', 'online'))
          .where((eb) => eb.or([eb('status', '!=', status), eb('status_reason', '!=', reason)]))
          .returning([
            'serial_number as serialNumber',
            'organization_id as organizationId',
            'status',
            'status_reason as statusReason',
            'status_since as statusSince',
            'last_seen_at as lastSeenAt',
          ])
          .executeTakeFirst()
      );
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
            .forNoKeyUpdate()
            .skipLocked(),
        )
        .execute();
      await db.updateTable('enrolments').set({ last_seen_at: now }).where('id', '=', ids).execute();
    },

    async listOnlineEnrolments(): Promise<string[]> {
      const rows = await db
        .selectFrom('controllers')
        .select('enrolment_id')
        .where('status', '=', 'online')
        .execute();
      return rows.map((row) => row.enrolment_id);
    },
  };
}
export type PresenceRepository = ReturnType<typeof createPresenceRepository>;
