import { type ConnectionKind, provingKinds } from '@pult/contract';
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction, EnrolmentTable } from '../../platform/db/schema.ts';
import type { DeviceInfo } from './device-data.ts';
import { enrolmentsLock } from './enrolment-counts.repository.ts';

export type Enrolment = Selectable<EnrolmentTable>;

export interface NewEnrolment {
  id: string;
  handle: Buffer;
  serialNumber: string;
  publicKey: Buffer;
  model: string;
  firmwareVersion: string;
  agentVersion: string;
  connectionKind: ConnectionKind;
  /** From where it enrols. */
  network: string;
  now: Date;
}

export interface NamedKey {
  serialNumber: string;
  /** SHA-256 of the public key. */
  keyId: Buffer;
}

/** A device that is let in. */
export interface LetIn {
  id: string;
  /** It is let in only while this is its link generation; undefined where it answered a challenge. */
  generation: number | undefined;
  /** Of the token for its next link. */
  tokenHash: Buffer;
}

/** What a device says of itself. */
export type Reported = Pick<DeviceInfo, 'model' | 'firmwareVersion' | 'agentVersion'>;

/** A controller whose device has left. */
export interface Detached {
  controllerId: string;
  organizationId: string;
  serialNumber: string;
  statusSince: Date;
  lastSeenAt: Date | null;
}

export interface EnrolmentState {
  enrolment: Enrolment;
  /** What its controller shows of it; null when nobody has claimed it. */
  shown: Reported | null;
  /** Its device is to move as little as it can. */
  isSaving: boolean;
}

type ClaimRow = Enrolment & {
  controller_model: string | null;
  controller_firmware: string | null;
  controller_agent: string | null;
  controller_saver: boolean | null;
};

function toClaim({
  controller_model: model,
  controller_firmware: firmwareVersion,
  controller_agent: agentVersion,
  controller_saver: saver,
  ...enrolment
}: ClaimRow): EnrolmentState {
  // A controller has all of them, be they empty.
  const isClaimed = model !== null && firmwareVersion !== null && agentVersion !== null;
  const shown = isClaimed ? { model, firmwareVersion, agentVersion } : null;
  return { enrolment, shown, isSaving: saver === true };
}

/**
 * SQL of the devices' own identities. They belong to no organization until claimed, so there is no tenant
 * scope here: what selects a row is the device's key, or a token that only its screen shows.
 */
export function createEnrolmentsRepository(db: Database) {
  return {
    /** Renews the entry of this serial number and key; undefined when there is none. */
    renewEnrolment: (enrolment: NewEnrolment): Promise<Enrolment | undefined> =>
      db
        .updateTable('enrolments')
        .set({
          model: enrolment.model,
          firmware_version: enrolment.firmwareVersion,
          agent_version: enrolment.agentVersion,
          last_seen_at: enrolment.now,
        })
        .where('serial_number', '=', enrolment.serialNumber)
        .where('public_key', '=', enrolment.publicKey)
        .returningAll()
        .executeTakeFirst(),

    /**
     * Makes the entry of this serial number and key, or renews the one that was made meanwhile. Whoever makes another
     * waits until the transaction ends, so that what it counts holds.
     */
    async addEnrolment(transaction: DatabaseTransaction, enrolment: NewEnrolment): Promise<Enrolment> {
      const { id, handle, serialNumber, publicKey, connectionKind, network } = enrolment;
      const { model, firmwareVersion, agentVersion, now } = enrolment;
      const { rows } = await sql<Enrolment>`
        with held as materialized (select pg_advisory_xact_lock(${enrolmentsLock}))
        insert into enrolments as t (id, handle, serial_number, public_key, connection_kind, network, model,
          firmware_version, agent_version, created_at, last_seen_at)
        select ${id}::uuid, ${handle}::bytea, ${serialNumber}, ${publicKey}::bytea, ${connectionKind}, ${network},
          ${model}, ${firmwareVersion}, ${agentVersion}, ${now}::timestamptz, ${now}::timestamptz from held
        on conflict (serial_number, public_key) do update set model = excluded.model,
          firmware_version = excluded.firmware_version, agent_version = excluded.agent_version,
          last_seen_at = excluded.last_seen_at
        returning t.*`.execute(transaction);
      const [row] = rows;
      if (!row) throw new Error('no enrolment was made'); // neither inserted nor updated: no such statement
      return row;
    },

    /** The enrolments of these keys; undefined for each that there is not. */
    async listByKeyIds(wanted: readonly NamedKey[]): Promise<(Enrolment | undefined)[]> {
      const { rows } = await sql<Enrolment & { number: number }>`
        select enrolments.*, wanted.number::int
        from unnest(${wanted.map((key) => key.serialNumber)}::text[], ${wanted.map((key) => key.keyId)}::bytea[])
          with ordinality as wanted (serial_number, key_id, number)
        join enrolments on enrolments.serial_number = wanted.serial_number
          and sha256(enrolments.public_key) = wanted.key_id`.execute(db);
      const found = new Map(rows.map(({ number, ...enrolment }) => [number, enrolment]));
      return wanted.map((_, index) => found.get(index + 1));
    },

    /** These enrolments and what is known of their controllers; undefined for each that there is not. */
    async listClaims(ids: readonly string[]): Promise<(EnrolmentState | undefined)[]> {
      const rows = await db
        .selectFrom('enrolments')
        .leftJoin('controllers', 'controllers.enrolment_id', 'enrolments.id')
        .selectAll('enrolments')
        .select([
          'controllers.model as controller_model',
          'controllers.firmware_version as controller_firmware',
          'controllers.agent_version as controller_agent',
          'controllers.traffic_saver as controller_saver',
        ])
        .where('enrolments.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .execute();
      const found = new Map(rows.map((row) => [row.id, toClaim(row)]));
      return ids.map((id) => found.get(id));
    },

    /** The enrolments of these controllers, by their serial numbers; undefined for each that nobody has claimed. */
    async listClaimed(serialNumbers: readonly string[]): Promise<(Enrolment | undefined)[]> {
      const rows = await db
        .selectFrom('enrolments')
        .innerJoin('controllers', 'controllers.enrolment_id', 'enrolments.id')
        .selectAll('enrolments')
        .where('controllers.serial_number', '=', sql<string>`any(${[...serialNumbers]}::text[])`)
        .execute();
      const found = new Map(rows.map((row) => [row.serial_number, row]));
      return serialNumbers.map((serialNumber) => found.get(serialNumber));
    },

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

    /** Whether another device than this one, which nobody has claimed, has proven the serial number since that time. */
    async hasProvenRival(
      { serial_number: serialNumber, id }: Enrolment,
      since: Date,
      on: Database | DatabaseTransaction = db,
    ): Promise<boolean> {
      const query = on
        .selectFrom('enrolments')
        .leftJoin('controllers', 'controllers.enrolment_id', 'enrolments.id')
        .select('enrolments.id')
        .where('enrolments.serial_number', '=', serialNumber)
        .where('enrolments.id', '!=', id)
        .where('enrolments.connection_kind', 'in', provingKinds)
        .where('enrolments.last_seen_at', '>=', since)
        .where('controllers.id', 'is', null);
      return (await query.executeTakeFirst()) !== undefined;
    },

    /** Whether a controller of this serial number was deleted, by an enrolment that is still there. */
    async hasReleased(transaction: DatabaseTransaction, serialNumber: string): Promise<boolean> {
      const query = transaction
        .selectFrom('enrolments')
        .select('id')
        .where('serial_number', '=', serialNumber);
      return (await query.where('token_epoch', '>', 0).executeTakeFirst()) !== undefined;
    },

    async increaseTokenEpoch(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction
        .updateTable('enrolments')
        .set((eb) => ({ token_epoch: eb('token_epoch', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },

    /**
     * Takes an enrolment from its controller, which stays, and makes its tokens so far worthless. Undefined where it has none, or was
     * released since it was read: a call that comes late, or twice, is none of the claim that there is now.
     */
    async detach(
      transaction: DatabaseTransaction,
      { id, token_epoch: epoch }: Enrolment,
      now: Date,
    ): Promise<Detached | undefined> {
      // First the controller, then its device, as claims and deletions do: none of them waits for another.
      const controllers = transaction.selectFrom('controllers').select('id');
      const held = await controllers.where('enrolment_id', '=', id).forUpdate().executeTakeFirst();
      if (!held) return undefined;
      const released = await transaction
        .updateTable('enrolments')
        .set({ token_epoch: epoch + 1 })
        .where('id', '=', id)
        .where('token_epoch', '=', epoch)
        .returning('id')
        .executeTakeFirst();
      if (!released) return undefined;
      return transaction
        .updateTable('controllers')
        .set({
          ...{ enrolment_id: null, held_by: null },
          ...{ status: 'offline', status_reason: 'detached', status_since: now },
          last_seen_at: sql`case when status = 'online' then ${now}::timestamptz else last_seen_at end`,
        })
        .where('id', '=', held.id)
        .returning(['id as controllerId', 'organization_id as organizationId'])
        .returning(['serial_number as serialNumber', 'status_since as statusSince'])
        .returning('last_seen_at as lastSeenAt')
        .executeTakeFirst();
    },

    /** What a device says of itself on its link; its controller, when claimed, shows the same. */
    async updateReported(id: string, info: Reported, now: Date): Promise<void> {
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
     * Lets devices in: raises their link generations, which it returns, and binds their next tokens to them. Undefined for each whose
     * generation is another one by now, here or on another node, or whose enrolment is gone: of two with one token exactly one gets in.
     */
    async raiseGenerations(wanted: readonly LetIn[]): Promise<(number | undefined)[]> {
      const { rows } = await sql<{ number: number; generation: number }>`
        with wanted as materialized (
          select * from unnest(${wanted.map(({ id }) => id)}::uuid[],
            ${wanted.map(({ generation }) => generation ?? null)}::int[],
            ${wanted.map(({ tokenHash }) => tokenHash)}::bytea[])
            with ordinality as wanted (id, generation, token_hash, number)
        ), held as materialized (
          -- In one order on all nodes, so that no two wait for each other.
          select id from enrolments where id in (select id from wanted) order by id for no key update
        )
        update enrolments set link_generation = enrolments.link_generation + 1,
          return_token_hash = wanted.token_hash
        from held join wanted using (id)
        where enrolments.id = held.id
          and (wanted.generation is null or wanted.generation = enrolments.link_generation)
        returning wanted.number::int, enrolments.link_generation as generation`.execute(db);
      const raised = new Map(rows.map(({ number, generation }) => [number, generation]));
      return wanted.map((_, index) => raised.get(index + 1));
    },

    /** That it has been linked, now for the first time. */
    async markLinked(id: string, now: Date): Promise<void> {
      await db
        .updateTable('enrolments')
        .set({ linked_at: now })
        .where('id', '=', id)
        .where('linked_at', 'is', null)
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
