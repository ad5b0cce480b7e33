import { limits } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';

export interface NewPasskey {
  id: string;
  userId: string;
  name: string;
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  transports: readonly string[];
  isSynced: boolean;
  relyingParty: string;
  createdAt: Date;
}

/** SQL of passkeys; each is one user's. */
export function createPasskeysRepository(db: Database) {
  return {
    /** Of those of other relying parties none works: PUBLIC_URL was another one when they were made. */
    list: (userId: string, relyingParty: string | undefined) =>
      db
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .$if(relyingParty !== undefined, (query) => query.where('relying_party', '=', relyingParty ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute(),

    /** The user's row is held by the caller, so that the limit holds. False where somebody has this very passkey. */
    async add(transaction: DatabaseTransaction, passkey: NewPasskey): Promise<'done' | 'full' | 'taken'> {
      const { count } = await transaction
        .selectFrom('passkeys')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('user_id', '=', passkey.userId)
        .where('relying_party', '=', passkey.relyingParty)
        .executeTakeFirstOrThrow();
      if (count >= limits.passkeysPerUser) return 'full';
      const row = await transaction
        .insertInto('passkeys')
        .values({
          id: passkey.id,
          user_id: passkey.userId,
          name: passkey.name,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          transports: [...passkey.transports],
          is_synced: passkey.isSynced,
          relying_party: passkey.relyingParty,
          created_at: passkey.createdAt,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .returning('id')
        .executeTakeFirst();
      return row ? 'done' : 'taken';
    },

    /** Held until the transaction ends. */
    hold: (transaction: DatabaseTransaction, userId: string, credentialId: Buffer) =>
      transaction
        .selectFrom('passkeys')
        .selectAll()
        .where('user_id', '=', userId)
        .where('credential_id', '=', credentialId)
        .forUpdate()
        .executeTakeFirst(),

    async noteUse(
      transaction: DatabaseTransaction,
      id: string,
      use: { counter: number; isSynced: boolean; at: Date },
    ): Promise<void> {
      await transaction
        .updateTable('passkeys')
        .set({ counter: use.counter, is_synced: use.isSynced, last_used_at: use.at })
        .where('id', '=', id)
        .execute();
    },

    /** Whose passkey it is, for a login without a name. */
    async findOwner(credentialId: Buffer): Promise<string | undefined> {
      const row = await db
        .selectFrom('passkeys')
        .innerJoin('users', 'users.id', 'passkeys.user_id')
        .select('users.email')
        .where('credential_id', '=', credentialId)
        .where('users.kind', '=', 'person')
        .executeTakeFirst();
      return row?.email;
    },

    /** True for one caller only. */
    async useChallenge(
      transaction: DatabaseTransaction,
      { nonce, expiresAt }: { nonce: Buffer; expiresAt: Date },
    ): Promise<boolean> {
      const row = await transaction
        .insertInto('used_challenges')
        .values({ nonce, expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .returning('nonce')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Its name; undefined where the user has none of this id. */
    async delete(transaction: DatabaseTransaction, userId: string, id: string): Promise<string | undefined> {
      const row = await transaction
        .deleteFrom('passkeys')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning('name')
        .executeTakeFirst();
      return row?.name;
    },
  };
}
export type PasskeysRepository = ReturnType<typeof createPasskeysRepository>;
