import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** A claimed device, and up to where it was heard. */
export interface Position {
  enrolmentId: string;
  controllerId: string;
  serialNumber: string;
  organizationId: string;
  activatedAt: Date;
  ring: string | null;
  seq: number;
}

export interface LockedPosition {
  controllerId: string;
  ring: string | null;
  seq: number;
  /** How many of its controls are stored. */
  controls: number;
}

export interface NewPosition extends LockedPosition {
  ring: string;
  /** Null when nothing but measurements came. */
  receivedAt: Date | null;
}

/**
 * SQL of how far each device was heard. Written by the server itself for all organizations, so there is no tenant scope.
 * The row of a controller is locked by whoever stores something of it, and goes with it: what comes later finds none.
 */
export function createPositionsRepository(db: Database) {
  return {
    /** Those of the devices that are claimed, made where there were none. */
    async openPositions(enrolmentIds: readonly string[]): Promise<Position[]> {
      await sql`
        insert into telemetry_positions (controller_id)
        select id from controllers where enrolment_id = any(${[...enrolmentIds]}::uuid[])
        on conflict do nothing`.execute(db);
      const rows = await db
        .selectFrom('telemetry_positions')
        .innerJoin('controllers', 'controllers.id', 'telemetry_positions.controller_id')
        .select([
          'enrolment_id as enrolmentId',
          'controllers.id as controllerId',
          'serial_number as serialNumber',
          'organization_id as organizationId',
          'activated_at as activatedAt',
          'ring',
          'seq',
        ])
        .where('enrolment_id', 'in', enrolmentIds)
        .execute();
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
    },

    /** Held until the transaction ends, always in the same order. */
    async lockPositions(
      transaction: DatabaseTransaction,
      controllerIds: readonly string[],
    ): Promise<LockedPosition[]> {
      const rows = await transaction
        .selectFrom('telemetry_positions')
        .select(['controller_id as controllerId', 'ring', 'seq', 'controls'])
        .where('controller_id', '=', sql<string>`any(${[...controllerIds]}::uuid[])`)
        .orderBy('controller_id')
        .forNoKeyUpdate()
        .execute();
      return rows.map((row) => ({ ...row, seq: Number(row.seq) }));
    },

    async savePositions(transaction: DatabaseTransaction, positions: readonly NewPosition[]): Promise<void> {
      await sql`
        update telemetry_positions p set ring = n.ring, seq = n.seq, controls = n.controls,
          received_at = coalesce(n.received_at, p.received_at)
        from unnest(
          ${positions.map(({ controllerId }) => controllerId)}::uuid[],
          ${positions.map(({ ring }) => ring)}::text[],
          ${positions.map(({ seq }) => seq)}::bigint[],
          ${positions.map(({ controls }) => controls)}::integer[],
          ${positions.map(({ receivedAt }) => receivedAt?.toISOString() ?? null)}::timestamptz[]
        ) as n (controller_id, ring, seq, controls, received_at)
        where p.controller_id = n.controller_id`.execute(transaction);
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
export type PositionsRepository = ReturnType<typeof createPositionsRepository>;
