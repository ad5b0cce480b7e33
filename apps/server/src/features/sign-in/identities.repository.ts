import { limits } from '@pult/contract';
import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { holdOrganizations } from './held-organizations.repository.ts';
import type { ProviderClaims } from './provider.ts';

/** Whose login at which provider. */
export interface IdentityKey {
  /** Undefined for the provider of the installation. */
  organizationId: string | undefined;
  issuer: string;
  subject: string;
}

/** SQL of people's logins at identity providers; when they were confirmed is by the clock of the database, as grants are. */
export function createIdentitiesRepository(db: Database) {
  const ofKey = ({ organizationId, issuer, subject }: IdentityKey, executor: Database = db) =>
    executor
      .selectFrom('identities')
      .innerJoin('users', 'users.id', 'identities.user_id')
      .select(['identities.id', 'users.id as userId', 'users.email'])
      .select(sql<boolean>`users.totp_secret is not null`.as('hasTotp'))
      .where('issuer', '=', issuer)
      .where('subject', '=', subject)
      .where('organization_id', 'is not distinct from', organizationId ?? null);

  return {
    find: (key: IdentityKey) => ofKey(key).executeTakeFirst(),

    /** Notes what the provider has said of one that is linked to the account. False where it is no more. */
    async note(
      transaction: DatabaseTransaction,
      { id, userId }: { id: string; userId: string },
      { email, groups }: ProviderClaims,
    ): Promise<boolean> {
      const { numUpdatedRows } = await transaction
        .updateTable('identities')
        .set({ email, groups: [...groups], checked_at: sql`now()` })
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /**
     * Links it to the account, which has proven itself. Its id, and whether it is new; `taken` where it is another account's, or the
     * account has another one at this provider; `full` where it has as many as allowed.
     */
    async link(
      transaction: DatabaseTransaction,
      {
        id,
        userId,
        organizationId,
        claims,
      }: {
        id: string;
        userId: string;
        organizationId: string | undefined;
        claims: ProviderClaims;
      },
    ): Promise<{ id: string; isNew: boolean } | 'taken' | 'full'> {
      // The caller holds the user's row: the count stays true.
      const { issuer, subject, email, groups } = claims;
      const isHere = sql<boolean>`issuer = ${issuer} and organization_id is not distinct from ${organizationId ?? null}::uuid`;
      const others = await transaction
        .selectFrom('identities')
        .select(isHere.as('isHere'))
        .where('user_id', '=', userId)
        .where(sql<boolean>`not (${isHere} and subject = ${subject})`)
        .execute();
      if (others.some((other) => other.isHere)) return 'taken';
      if (others.length >= limits.identitiesPerUser) return 'full';
      const { rows } = await sql<{ id: string; isNew: boolean }>`
        insert into identities as known
          (id, user_id, organization_id, issuer, subject, email, groups, created_at, checked_at)
        values (${id}, ${userId}, ${organizationId ?? null}, ${issuer}, ${subject}, ${email},
          ${[...groups]}::text[], now(), now())
        on conflict (issuer, subject, organization_id) do update
          set email = excluded.email, groups = excluded.groups, checked_at = excluded.checked_at
          where known.user_id = excluded.user_id
        returning id, id = ${id} as "isNew"`.execute(transaction);
      return rows[0] ?? 'taken';
    },

    list: (userId: string) =>
      db
        .selectFrom('identities')
        .leftJoin('organizations', 'organizations.id', 'identities.organization_id')
        .selectAll('identities')
        .select('organizations.name as organizationName')
        .where('user_id', '=', userId)
        .orderBy('identities.id')
        .execute(),

    /** With its sessions and grants. Undefined where the user has none of this id. */
    async delete(transaction: DatabaseTransaction, userId: string, id: string) {
      const own = transaction.selectFrom('identities').where('user_id', '=', userId).where('id', '=', id);
      if (!(await own.select('id').executeTakeFirst())) return undefined;
      await holdOrganizations(
        transaction,
        sql`select organization_id from identities where id = ${id}
          union select organization_id from grants where identity_id = ${id}`,
      );
      return transaction
        .deleteFrom('identities')
        .where('user_id', '=', userId)
        .where('id', '=', id)
        .returning(['issuer', 'organization_id as organizationId'])
        .executeTakeFirst();
    },

    /** Those of an organization's provider, but the ones of an issuer that stays. */
    async deleteOfOrganization(
      transaction: DatabaseTransaction,
      organizationId: string,
      keptIssuer?: string,
    ): Promise<void> {
      await transaction
        .deleteFrom('identities')
        .where('organization_id', '=', organizationId)
        .$if(keptIssuer !== undefined, (query) => query.where('issuer', '<>', keptIssuer ?? ''))
        .execute();
    },
  };
}
export type IdentitiesRepository = ReturnType<typeof createIdentitiesRepository>;
