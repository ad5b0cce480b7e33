import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

export interface NewSignIn {
  id: string;
  tokenHash: Buffer;
  organizationId: string | undefined;
  issuer: string;
  clientId: string;
  stateHash: Buffer;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  expiresAt: Date;
}

/** SQL of sign-ins on their way. Each belongs to the browser that has its cookie. */
export function createPendingSignInsRepository(db: Database) {
  return {
    async add(signIn: NewSignIn): Promise<void> {
      await db
        .insertInto('pending_sign_ins')
        .values({
          id: signIn.id,
          token_hash: signIn.tokenHash,
          organization_id: signIn.organizationId ?? null,
          issuer: signIn.issuer,
          client_id: signIn.clientId,
          state_hash: signIn.stateHash,
          nonce: signIn.nonce,
          code_verifier: signIn.codeVerifier,
          return_to: signIn.returnTo,
          answer: null,
          expires_at: signIn.expiresAt,
        })
        .execute();
    },

    /** For the one who comes back with its state, to the address of its provider: once. */
    take: (
      { tokenHash, stateHash, organizationId }: Pick<NewSignIn, 'tokenHash' | 'stateHash' | 'organizationId'>,
      now: Date,
    ) =>
      db
        .updateTable('pending_sign_ins')
        .set({ is_answered: true })
        .where('token_hash', '=', tokenHash)
        .where('state_hash', '=', stateHash)
        .where('organization_id', 'is not distinct from', organizationId ?? null)
        .where('is_answered', '=', false)
        .where('expires_at', '>', now)
        .returningAll()
        .executeTakeFirst(),

    async keepAnswer(id: string, answer: Buffer): Promise<void> {
      await db.updateTable('pending_sign_ins').set({ answer }).where('id', '=', id).execute();
    },

    getAnswered: (tokenHash: Buffer, now: Date) =>
      db
        .selectFrom('pending_sign_ins')
        .selectAll()
        .where('token_hash', '=', tokenHash)
        .where('answer', 'is not', null)
        .where('expires_at', '>', now)
        .executeTakeFirst(),

    /** Of several at once one alone gets it. */
    async consume(transaction: DatabaseTransaction, id: string): Promise<boolean> {
      const { numDeletedRows } = await transaction
        .deleteFrom('pending_sign_ins')
        .where('id', '=', id)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute();
    },
  };
}
export type PendingSignInsRepository = ReturnType<typeof createPendingSignInsRepository>;
