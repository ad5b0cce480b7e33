import type { TotpScope } from '@pult/contract';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** SQL of what a session's user has confirmed by a code. */
export function createConfirmationsRepository(db: Database) {
  return {
    async getTime(sessionId: string, scope: TotpScope): Promise<Date | undefined> {
      const row = await db
        .selectFrom('session_confirmations')
        .select('confirmed_at')
        .where('session_id', '=', sessionId)
        .where('scope', '=', scope)
        .executeTakeFirst();
      return row?.confirmed_at;
    },

    /** False when the session has ended meanwhile. */
    async save(
      transaction: DatabaseTransaction,
      { sessionId, scope, at }: { sessionId: string; scope: TotpScope; at: Date },
    ): Promise<boolean> {
      const session = await transaction
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', sessionId)
        .forKeyShare()
        .executeTakeFirst();
      if (!session) return false;
      await transaction
        .insertInto('session_confirmations')
        .values({ session_id: sessionId, scope, confirmed_at: at })
        .onConflict((conflict) => conflict.columns(['session_id', 'scope']).doUpdateSet({ confirmed_at: at }))
        .execute();
      return true;
    },

    /** Those of all the user's sessions. */
    async deleteOfUser(transaction: DatabaseTransaction, userId: string): Promise<void> {
      await transaction
        .deleteFrom('session_confirmations')
        .using('sessions')
        .whereRef('sessions.id', '=', 'session_confirmations.session_id')
        .where('sessions.user_id', '=', userId)
        .execute();
    },
  };
}
export type ConfirmationsRepository = ReturnType<typeof createConfirmationsRepository>;
