import type { DeviceInfo } from '@pult/link';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction, EnrolmentTable } from '../../platform/db/schema.ts';

export type Enrolment = Selectable<EnrolmentTable>;

export interface NewEnrolment {
  id: string;
  handle: Buffer;
  serialNumber: string;
  publicKey: Buffer;
  model: string;
  firmwareVersion: string;
  agentVersion: string;
  now: Date;
}

/**
 * SQL of the devices' own identities. They belong to no organization until claimed, so there is no tenant
 * scope here: what selects a row is the device's key, or a token that only its screen shows.
 */
export function createEnrolmentsRepository(db: Database) {
  return {
    /** Makes or renews the entry of this serial number and key. */
    async saveEnrolment(enrolment: NewEnrolment): Promise<Enrolment> {
      const reported = {
        model: enrolment.model,
        firmware_version: enrolment.firmwareVersion,
        agent_version: enrolment.agentVersion,
        last_seen_at: enrolment.now,
      };
      return db
        .insertInto('enrolments')
        .values({
          id: enrolment.id,
          handle: enrolment.handle,
          serial_number: enrolment.serialNumber,
          public_key: enrolment.publicKey,
          created_at: enrolment.now,
          ...reported,
        })
        .onConflict((conflict) => conflict.columns(['serial_number', 'public_key']).doUpdateSet(reported))
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** `keyId` is the SHA-256 of the public key. */
    getByKeyId: (serialNumber: string, keyId: Buffer): Promise<Enrolment | undefined> =>
      db
        .selectFrom('enrolments')
        .selectAll()
        .where('serial_number', '=', serialNumber)
        .where(sql<Buffer>`sha256(public_key)`, '=', keyId)
        .executeTakeFirst(),

    getById: (id: string): Promise<Enrolment | undefined> =>
      db.selectFrom('enrolments').selectAll().where('id', '=', id).executeTakeFirst(),

    getByHandle: (handle: Buffer): Promise<Enrolment | undefined> =>
      db.selectFrom('enrolments').selectAll().where('handle', '=', handle).executeTakeFirst(),

    /** Holds the rows until the transaction ends: of two claims at once the second waits, and sees the first. */
    lockSerialNumber: (transaction: DatabaseTransaction, serialNumber: string): Promise<Enrolment[]> =>
      transaction
        .selectFrom('enrolments')
        .selectAll()
        .where('serial_number', '=', serialNumber)
        // Always in the same order, so that two claims never wait for each other.
        .orderBy('id')
        .forUpdate()
        .execute(),

    async isClaimed(id: string, on: Database | DatabaseTransaction = db): Promise<boolean> {
      const query = on.selectFrom('controllers').select('id').where('enrolment_id', '=', id);
      return (await query.executeTakeFirst()) !== undefined;
    },

    async countUnclaimed(): Promise<number> {
      const { count } = await db
        .selectFrom('enrolments')
        .leftJoin('controllers', 'controllers.enrolment_id', 'enrolments.id')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('controllers.id', 'is', null)
        .executeTakeFirstOrThrow();
      return count;
    },

    async increaseTokenEpoch(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction
        .updateTable('enrolments')
        .set((eb) => ({ token_epoch: eb('token_epoch', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },

    /** What a device says of itself on its link; its controller, when claimed, shows the same. */
    async updateReported(id: string, info: DeviceInfo, now: Date): Promise<void> {
      const reported = {
        model: info.model,
        firmware_version: info.firmwareVersion,
        agent_version: info.agentVersion,
      };
      await db
        .with('enrolment', (cte) =>
          cte
            .updateTable('enrolments')
            .set({ ...reported, last_seen_at: now })
            .where('id', '=', id)
            .returning('id'),
        )
        .updateTable('controllers')
        .set(reported)
        .where('enrolment_id', '=', id)
        .execute();
    },

    /**
     * The other entries of a serial number that was claimed: whoever made them was not the claimed device. None
     * of them has a controller, since the claimed one has the only controller of this serial number.
     */
    async deleteOthers(
      transaction: DatabaseTransaction,
      serialNumber: string,
      id: string,
    ): Promise<string[]> {
      const rows = await transaction
        .deleteFrom('enrolments')
        .where('serial_number', '=', serialNumber)
        .where('id', '!=', id)
        .returning('id')
        .execute();
      return rows.map((row) => row.id);
    },

    async deleteUnclaimedUnseenSince(time: Date): Promise<void> {
      await db
        .deleteFrom('enrolments')
        .where('last_seen_at', '<', time)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('controllers')
                .select('id')
                .whereRef('controllers.enrolment_id', '=', 'enrolments.id'),
            ),
          ),
        )
        .execute();
    },
  };
}
export type EnrolmentsRepository = ReturnType<typeof createEnrolmentsRepository>;
