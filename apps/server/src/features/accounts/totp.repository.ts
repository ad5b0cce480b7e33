import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** Five minutes: further than a code may be early, on two servers whose clocks differ. */
const stepsAhead = 10;

/** SQL of the second factor: the secret in force, the one being set up, recovery codes. */
export function createTotpRepository(db: Database) {
  return {
    /** False when the session has ended meanwhile. */
    async keepSetupSecret(sessionId: string, encrypted: Buffer): Promise<boolean> {
      const row = await db
        .updateTable('sessions')
        .set({ totp_setup_secret: encrypted })
        .where('id', '=', sessionId)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async getSetupSecret(sessionId: string): Promise<Buffer | undefined> {
      const row = await db
        .selectFrom('sessions')
        .select('totp_setup_secret')
        .where('id', '=', sessionId)
        .executeTakeFirst();
      return row?.totp_setup_secret ?? undefined;
    },

    /** Ends the setup and gives the session another token; false when the setup is another one by now. */
    async finishSetup(
      transaction: DatabaseTransaction,
      session: { id: string; setupSecret: Buffer; tokenHash: Buffer },
    ): Promise<boolean> {
      const row = await transaction
        .updateTable('sessions')
        .set({ totp_setup_secret: null, token_hash: session.tokenHash })
        .where('id', '=', session.id)
        .where('totp_setup_secret', '=', session.setupSecret)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** False when the user has TOTP already. */
    async enable(
      transaction: DatabaseTransaction,
      user: { id: string; secret: Buffer; step: number },
    ): Promise<boolean> {
      const row = await transaction
        .updateTable('users')
        .set({ totp_secret: user.secret, totp_last_step: user.step })
        .where('id', '=', user.id)
        .where('totp_secret', 'is', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** False when the user has no TOTP. */
    async disable(transaction: DatabaseTransaction, userId: string): Promise<boolean> {
      const row = await transaction
        .updateTable('users')
        .set({ totp_secret: null })
        .where('id', '=', userId)
        .where('totp_secret', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      // They stand in for its codes.
      if (row) await transaction.deleteFrom('passkeys').where('user_id', '=', userId).execute();
      return row !== undefined;
    },

    /**
     * Keeps the user's second factor as it is until the transaction ends: whoever evaluates or changes it waits
     * here. False when it has changed since `secret` was read, or without it when there is none.
     */
    async lock(transaction: DatabaseTransaction, userId: string, secret?: Buffer): Promise<boolean> {
      const row = await transaction
        .selectFrom('users')
        .select('id')
        .where('id', '=', userId)
        .$if(secret !== undefined, (query) => query.where('totp_secret', '=', secret ?? null))
        .where('totp_secret', 'is not', null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      return row !== undefined;
    },

    async getSecret(userId: string): Promise<Buffer | undefined> {
      const row = await db
        .selectFrom('users')
        .select('totp_secret')
        .where('id', '=', userId)
        .executeTakeFirst();
      return row?.totp_secret ?? undefined;
    },

    /**
     * False when a code of this step or of a later one was accepted already. One that is far ahead was accepted before the
     * clock was set back, and would keep its user out until then.
     */
    async acceptStep(transaction: DatabaseTransaction, userId: string, step: number): Promise<boolean> {
      const row = await transaction
        .updateTable('users')
        .set({ totp_last_step: step })
        .where('id', '=', userId)
        .where((eb) =>
          eb.or([
            eb('totp_last_step', '<', String(step)),
            eb('totp_last_step', '>', String(step + stepsAhead)),
          ]),
        )
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async setRecoveryCodes(
      transaction: DatabaseTransaction,
      userId: string,
      hashes: readonly Buffer[],
    ): Promise<void> {
      await transaction.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
      if (hashes.length === 0) return;
      await transaction
        .insertInto('recovery_codes')
        .values(hashes.map((hash) => ({ user_id: userId, code_hash: hash })))
        .execute();
    },

    /** True for one caller only. */
    async useRecoveryCode(transaction: DatabaseTransaction, userId: string, hash: Buffer): Promise<boolean> {
      const row = await transaction
        .deleteFrom('recovery_codes')
        .where('user_id', '=', userId)
        .where('code_hash', '=', hash)
        .returning('user_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async hasRecoveryCodes(userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('recovery_codes')
        .select('user_id')
        .where('user_id', '=', userId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
export type TotpRepository = ReturnType<typeof createTotpRepository>;
