import { type RawBuilder, sql } from 'kysely';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';

/**
 * Keeps organizations from changes of who belongs to them, of their providers and of their rules until the transaction ends; each such
 * change holds the organization for itself (see lockOrganization). Taken before rows of sessions, identities and grants, as such
 * a change takes them after it too: the two never wait for each other. What depends on it is read in a statement of
 * its own. Answers the ids of those that are there.
 */
export async function holdOrganizations(
  transaction: DatabaseTransaction,
  ids: RawBuilder<unknown>,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from organizations where id in (${ids}) order by id for share`.execute(transaction);
  return rows.map(({ id }) => id);
}

/** Of one alone. */
export const holdOrganization = (transaction: DatabaseTransaction, id: string): Promise<string[]> =>
  holdOrganizations(transaction, sql`${id}`);
