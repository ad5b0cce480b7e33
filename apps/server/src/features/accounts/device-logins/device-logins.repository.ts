import type { Locale, Permission } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';

export interface NewDeviceLogin {
  id: string;
  deviceHash: Buffer;
  userCodeHash: Buffer;
  hostName: string;
  scopes: readonly Permission[];
  address: string;
  createdAt: Date;
  expiresAt: Date;
  intervalSeconds: number;
}

/** How a login stood when its program asked. */
export interface PolledDeviceLogin {
  id: string;
  isApproved: boolean;
  isDenied: boolean;
  expiresAt: Date;
  isTooEarly: boolean;
  intervalSeconds: number;
}

/** One that somebody has let in. */
export interface TakenDeviceLogin {
  userId: string;
  email: string;
  locale: Locale;
  hostName: string;
  scopes: string[];
  approvedFrom: string;
}

/** By what RFC 8628 lengthens the interval of a program that asks too often, and how far here. */
const intervalStep = 5;
const longestInterval = 60;

/** SQL of programs that log in by a code. */
export function createDeviceLoginsRepository(db: Database) {
  return {
    /** False where another one has this code. */
    async add(login: NewDeviceLogin): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('device_logins')
        .values({
          id: login.id,
          device_hash: login.deviceHash,
          user_code_hash: login.userCodeHash,
          host_name: login.hostName,
          scopes: [...login.scopes],
          address: login.address,
          created_at: login.createdAt,
          expires_at: login.expiresAt,
          interval_seconds: login.intervalSeconds,
          is_denied: false,
        })
        .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    /** Notes that the program has asked. One statement: of two at once the second one is too early. */
    async poll(deviceHash: Buffer, now: Date): Promise<PolledDeviceLogin | undefined> {
      const isTooEarly = sql<boolean>`coalesce(
        before.polled_at > ${now}::timestamptz - make_interval(secs => before.interval_seconds), false)`;
      const { rows } = await sql<PolledDeviceLogin>`
        with before as (select * from device_logins where device_hash = ${deviceHash} for update)
        update device_logins as login set
          polled_at = ${now},
          interval_seconds = case when ${isTooEarly}
            then least(before.interval_seconds + ${intervalStep}, ${longestInterval}) else before.interval_seconds end
        from before where login.id = before.id
        returning login.id, before.user_id is not null as "isApproved", before.is_denied as "isDenied",
          before.expires_at as "expiresAt", ${isTooEarly} as "isTooEarly",
          login.interval_seconds as "intervalSeconds"`.execute(db);
      return rows[0];
    },

    /** Of two at once one gets it. */
    async take(transaction: DatabaseTransaction, id: string): Promise<TakenDeviceLogin | undefined> {
      // First the user, as everything does that ends sessions, and these logins with them.
      await sql`select from users where id = (select user_id from device_logins where id = ${id}::uuid)
        for no key update`.execute(transaction);
      const { rows } = await sql<TakenDeviceLogin>`
        delete from device_logins as login using users
        where login.id = ${id} and users.id = login.user_id
        returning users.id as "userId", users.email, users.locale, login.host_name as "hostName", login.scopes,
          login.approved_from as "approvedFrom"`.execute(transaction);
      return rows[0];
    },

    /** One that waits for an answer. */
    findWaiting: (userCodeHash: Buffer, now: Date) =>
      db
        .selectFrom('device_logins')
        .selectAll()
        .where('user_code_hash', '=', userCodeHash)
        .where('expires_at', '>', now)
        .where('user_id', 'is', null)
        .where('is_denied', '=', false)
        .executeTakeFirst(),

    /** False where it waits for no answer any more, or does not ask for as much. */
    async approve(
      userCodeHash: Buffer,
      approval: { userId: string; scopes: readonly Permission[]; address: string },
      now: Date,
    ): Promise<boolean> {
      const scopes = [...approval.scopes];
      const { numUpdatedRows } = await db
        .updateTable('device_logins')
        .set({ user_id: approval.userId, scopes, approved_from: approval.address })
        .where('user_code_hash', '=', userCodeHash)
        .where('expires_at', '>', now)
        .where('user_id', 'is', null)
        .where('is_denied', '=', false)
        .where(sql<boolean>`scopes @> ${scopes}::text[]`)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** False where it waits for no answer any more. */
    async deny(userCodeHash: Buffer, now: Date): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('device_logins')
        .set({ is_denied: true })
        .where('user_code_hash', '=', userCodeHash)
        .where('expires_at', '>', now)
        .where('user_id', 'is', null)
        .where('is_denied', '=', false)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    /** Those that are over for so long that no program asks for them any more. */
    async deleteExpired(before: Date): Promise<void> {
      await db.deleteFrom('device_logins').where('expires_at', '<=', before).execute();
    },
  };
}
export type DeviceLoginsRepository = ReturnType<typeof createDeviceLoginsRepository>;
