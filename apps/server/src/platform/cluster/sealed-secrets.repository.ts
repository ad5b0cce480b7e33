import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../db/schema.ts';
import { createEncryptor } from '../encryptor.ts';

const context = 'secrets of the installation';

/** SQL of the secrets that all nodes have in common, sealed under a key of 32 bytes that the database does not know. */
export function createSealedSecretsRepository(db: Database, key: Buffer) {
  const encryptor = createEncryptor(key);

  function open(content: Buffer): Record<string, unknown> {
    let text: string;
    try {
      text = encryptor.decrypt(content, context);
    } catch {
      throw new Error(
        'SECRETS_KEY is not the key under which the secrets of this database are sealed. Give the one that the first node had.',
      );
    }
    return JSON.parse(text) as Record<string, unknown>; // only `change` writes it
  }

  async function read(executor: Database | DatabaseTransaction = db) {
    const row = await executor.selectFrom('sealed_secrets').select('content').executeTakeFirst();
    return row && open(row.content);
  }

  return {
    /** Undefined where there are none yet. */
    read: () => read(),

    /** One node after the other: what the first one has made the next one finds. */
    change: (
      change: (stored: Record<string, unknown> | undefined) => Record<string, unknown>,
    ): Promise<Record<string, unknown>> =>
      db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(hashtext('pult sealed secrets'))`.execute(transaction);
        const stored = await read(transaction);
        const changed = change(stored);
        if (stored !== undefined && JSON.stringify(changed) === JSON.stringify(stored)) return stored;
        const content = encryptor.encrypt(JSON.stringify(changed), context);
        await sql`insert into sealed_secrets (content, changed_at) values (${content}, now())
          on conflict (only_row) do update set content = excluded.content, changed_at = excluded.changed_at`.execute(
          transaction,
        );
        return changed;
      }),
  };
}
