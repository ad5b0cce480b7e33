import { sql } from 'kysely';
import { type Scope, wholeOrganizations } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

export interface NewEnrolmentKey {
  id: string;
  organizationId: string;
  name: string;
  prefix: string;
  keyHash: Buffer;
  groupId: string | null;
  maxUses: number;
  expiresAt: Date;
  createdBy: string;
  createdAt: Date;
}

/** The group of a key, where there still is one: it names none else than of its own organization. */
const groupOfKey = (alias: 'groups.id' | 'groups.name') =>
  sql<string | null>`(select ${sql.ref(alias)} from groups where groups.id = enrolment_keys.group_id
    and groups.organization_id = enrolment_keys.organization_id)`;

/** SQL of the keys of organizations. What a device presents is looked for by its hash, in any of them. */
export function createEnrolmentKeysRepository(db: Database) {
  const selectKeys = (executor: Database, scope: Scope, organizationId: string) =>
    executor
      .selectFrom('enrolment_keys')
      .leftJoin('users', 'users.id', 'enrolment_keys.created_by')
      .selectAll('enrolment_keys')
      .select('users.email as creator')
      .select([groupOfKey('groups.id').as('groupId'), groupOfKey('groups.name').as('groupName')])
      .where('enrolment_keys.organization_id', 'in', wholeOrganizations(scope, organizationId));

  return {
    listKeys: (scope: Scope, organizationId: string) =>
      selectKeys(db, scope, organizationId)
        .orderBy('enrolment_keys.created_at', 'desc')
        .orderBy('enrolment_keys.id', 'desc')
        .execute(),

    getKey: (transaction: DatabaseTransaction, scope: Scope, organizationId: string, id: string) =>
      selectKeys(transaction, scope, organizationId).where('enrolment_keys.id', '=', id).executeTakeFirst(),

    /** Those that devices can use. The organization is held by the caller, so that it stays true. */
    async countActive(
      transaction: DatabaseTransaction,
      organizationId: string,
      now: Date,
    ): Promise<{ count: number }> {
      return transaction
        .selectFrom('enrolment_keys')
        .select(sql<number>`count(*)::int`.as('count'))
        .where('organization_id', '=', organizationId)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .whereRef('uses', '<', 'max_uses')
        .executeTakeFirstOrThrow();
    },

    async createKey(transaction: DatabaseTransaction, key: NewEnrolmentKey): Promise<void> {
      await transaction
        .insertInto('enrolment_keys')
        .values({
          id: key.id,
          organization_id: key.organizationId,
          name: key.name,
          prefix: key.prefix,
          key_hash: key.keyHash,
          group_id: key.groupId,
          max_uses: key.maxUses,
          expires_at: key.expiresAt,
          created_by: key.createdBy,
          created_at: key.createdAt,
        })
        .execute();
    },

    async revokeKey(
      transaction: DatabaseTransaction,
      organizationId: string,
      id: string,
      now: Date,
    ): Promise<void> {
      await transaction
        .updateTable('enrolment_keys')
        .set({ revoked_at: now })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
    },

    /** Whatever key it is that a device presents, usable or not. */
    findByHash: (keyHash: Buffer, executor: Database = db) =>
      executor.selectFrom('enrolment_keys').selectAll().where('key_hash', '=', keyHash).executeTakeFirst(),

    /** Counts one use, if there is one left; false otherwise. Whoever else uses the key waits until the transaction ends. */
    async takeUse(transaction: DatabaseTransaction, id: string, now: Date): Promise<boolean> {
      const row = await transaction
        .updateTable('enrolment_keys')
        .set((eb) => ({ uses: eb('uses', '+', 1), last_used_at: now }))
        .where('id', '=', id)
        .whereRef('uses', '<', 'max_uses')
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** The group of a key, if it is still there; it stays until the transaction ends. */
    async holdGroup(
      transaction: DatabaseTransaction,
      organizationId: string,
      groupId: string | null,
    ): Promise<string | null> {
      if (groupId === null) return null;
      const group = await transaction
        .selectFrom('groups')
        .select('id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', groupId)
        .forKeyShare()
        .executeTakeFirst();
      return group?.id ?? null;
    },

    async deleteEndedBefore(time: Date): Promise<void> {
      await db
        .deleteFrom('enrolment_keys')
        .where((eb) => eb.or([eb('expires_at', '<', time), eb('revoked_at', '<', time)]))
        .execute();
    },
  };
}
export type EnrolmentKeysRepository = ReturnType<typeof createEnrolmentKeysRepository>;
