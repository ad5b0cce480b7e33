import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { enrolmentOfController } from '../devices/index.ts';

/** A claimed device, and up to where it was heard. */
export interface SubscribedDevice {
  enrolmentId: string;
  controllerId: string;
  serialNumber: string;
  organizationId: string;
  activatedAt: Date;
  streamId: string | null;
  offset: number;
}

export interface LockedOffset {
  controllerId: string;
  streamId: string | null;
  offset: number;
  /** How many of its controls are stored. */
  controls: number;
}

export interface NewOffset extends LockedOffset {
  streamId: string;
  /** Null when nothing but measurements came. */
  receivedAt: Date | null;
}

/**
 * SQL of how far each device was heard. Written by the server itself for all organizations, so there is no tenant scope.
 * The row of a controller is locked by whoever stores something of it, and goes with it: what comes later finds none.
 */
export function createOffsetsRepository(db: Database) {
  return {
    /** Those of the devices that are claimed, made where there were none. */
    async openOffsets(enrolmentIds: readonly string[]): Promise<SubscribedDevice[]> {
      await sql`
        insert into telemetry_offsets (controller_id)
        select id from controllers where enrolment_id = any(${[...enrolmentIds]}::uuid[])
        on conflict do nothing`.execute(db);
      const rows = await db
        .selectFrom('telemetry_offsets')
        .innerJoin('controllers', 'controllers.id', 'telemetry_offsets.controller_id')
        .select([
          enrolmentOfController.as('enrolmentId'),
          'controllers.id as controllerId',
          'serial_number as serialNumber',
          'organization_id as organizationId',
          'activated_at as activatedAt',
          'stream_id as streamId',
          'last_offset as offset',
        ])
        .where('enrolment_id', 'in', enrolmentIds)
        .execute();
      return rows.map((row) => ({ ...row, offset: Number(row.offset) }));
    },

    /** Held until the transaction ends, always in the same order. */
    async lockOffsets(
      transaction: DatabaseTransaction,
      controllerIds: readonly string[],
    ): Promise<LockedOffset[]> {
      const rows = await transaction
        .selectFrom('telemetry_offsets')
        .select([
          'controller_id as controllerId',
          'stream_id as streamId',
          'last_offset as offset',
          'controls',
        ])
        .where('controller_id', '=', sql<string>`any(${[...controllerIds]}::uuid[])`)
        .orderBy('controller_id')
        .forNoKeyUpdate()
        .execute();
      return rows.map((row) => ({ ...row, offset: Number(row.offset) }));
    },

    async saveOffsets(transaction: DatabaseTransaction, offsets: readonly NewOffset[]): Promise<void> {
      await sql`
        update telemetry_offsets o set stream_id = n.stream_id, last_offset = n.last_offset, controls = n.controls,
          received_at = coalesce(n.received_at, o.received_at)
        from unnest(
          ${offsets.map(({ controllerId }) => controllerId)}::uuid[],
          ${offsets.map(({ streamId }) => streamId)}::text[],
          ${offsets.map(({ offset }) => offset)}::bigint[],
          ${offsets.map(({ controls }) => controls)}::integer[],
          ${offsets.map(({ receivedAt }) => receivedAt?.toISOString() ?? null)}::timestamptz[]
        ) as n (controller_id, stream_id, last_offset, controls, received_at)
        where o.controller_id = n.controller_id`.execute(transaction);
    },

    /** Controllers that are gone and whose measurements are still to be removed. */
    async listRemovals(limit: number): Promise<string[]> {
      const rows = await db.selectFrom('telemetry_removals').selectAll().limit(limit).execute();
      return rows.map(({ controller_id }) => controller_id);
    },

    async deleteRemovals(controllerIds: readonly string[]): Promise<void> {
      if (controllerIds.length === 0) return;
      await db.deleteFrom('telemetry_removals').where('controller_id', 'in', controllerIds).execute();
    },
  };
}
export type OffsetsRepository = ReturnType<typeof createOffsetsRepository>;
