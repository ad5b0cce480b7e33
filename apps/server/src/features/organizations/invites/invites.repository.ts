import type { Invite, Locale, Role } from '@pult/contract';
import { sql } from 'kysely';
import type { Scope } from '../../../platform/access/index.ts';
import { strongestRole } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import {
  isPlaceVisible,
  placeColumns,
  placeGroup,
  type StoredPlace,
  toShownPlace,
} from '../../grants/index.ts';

export interface NewInvite {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  tokenHash: Buffer;
  invitedBy: string;
  createdAt: Date;
  expiresAt: Date;
  /** Of the organization what becomes a grant; without it membership. */
  place: StoredPlace | undefined;
  until: Date | null;
}

/** What the token of a live invite stands for. */
export interface OpenInvite {
  id: string;
  email: string;
  organizationId: string;
  organizationName: string;
  userExists: boolean;
}

/** SQL of invites. One that has expired is as good as none, whether or not the job has deleted it. */
export function createInvitesRepository(db: Database) {
  const live = (executor: Database, now: Date) =>
    executor.selectFrom('invites').where('invites.expires_at', '>', now);

  const place = { group: sql.ref('invites.group_id'), controller: sql.ref('invites.controller_id') };
  const isAt = (scope: Scope, organizationId: string) => isPlaceVisible('invites', scope, organizationId);

  return {
    async listInvites(scope: Scope, organizationId: string, now: Date): Promise<Invite[]> {
      const rows = await live(db, now)
        .leftJoin('users', 'users.id', 'invites.invited_by')
        .leftJoin('groups as places', (join) => join.on(placeGroup('invites')))
        .select(['invites.id', 'invites.email', 'invites.role', 'users.email as invitedBy'])
        .select(['invites.created_at as createdAt', 'invites.expires_at as expiresAt'])
        .select('invites.grant_ends_at as until')
        .select(placeColumns('invites'))
        .where('invites.organization_id', '=', organizationId)
        .where(isAt(scope, organizationId))
        .orderBy('invites.email')
        .execute();
      return rows.map((row) => {
        const scopeOfInvite = toShownPlace(row);
        return {
          id: row.id,
          email: row.email,
          role: row.role,
          invitedBy: row.invitedBy,
          createdAt: row.createdAt.toISOString(),
          expiresAt: row.expiresAt.toISOString(),
          ...(scopeOfInvite.type === 'organization' ? {} : { scope: scopeOfInvite }),
          ...(row.until === null ? {} : { until: row.until.toISOString() }),
        };
      });
    },

    getByToken: (
      tokenHash: Buffer,
      now: Date,
      transaction?: DatabaseTransaction,
    ): Promise<OpenInvite | undefined> =>
      live(transaction ?? db, now)
        .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
        .leftJoin('users', (join) =>
          join.onRef('users.email', '=', 'invites.email').on('users.kind', '=', 'person'),
        )
        .select(['invites.id', 'invites.email', 'invites.organization_id as organizationId'])
        .select(['organizations.name as organizationName'])
        .select(sql<boolean>`users.id is not null`.as('userExists'))
        .where('invites.token_hash', '=', tokenHash)
        .executeTakeFirst(),

    /** The organization is held by the caller, so that the answers stay true. */
    async getSituation(
      transaction: DatabaseTransaction,
      organizationId: string,
      email: string,
      now: Date,
    ): Promise<{
      isMember: boolean;
      locale: Locale | undefined;
      pending: number;
      earlier?: StoredPlace & { role: Role };
    }> {
      const user = await transaction
        .selectFrom('users')
        .leftJoin('memberships', (join) =>
          join
            .onRef('memberships.user_id', '=', 'users.id')
            .on('memberships.organization_id', '=', organizationId),
        )
        .select(['users.locale', 'memberships.role'])
        .where('users.email', '=', email)
        .where('users.kind', '=', 'person')
        .executeTakeFirst();
      const others = await live(transaction, now)
        .select(sql<number>`count(*)::int`.as('count'))
        .where('organization_id', '=', organizationId)
        .where('email', '<>', email)
        .executeTakeFirstOrThrow();
      const earlier = await live(transaction, now)
        .select(['role', 'group_id as groupId', 'controller_id as controllerId'])
        .where('organization_id', '=', organizationId)
        .where('email', '=', email)
        .executeTakeFirst();
      return {
        isMember: (user?.role ?? null) !== null,
        locale: user?.locale,
        pending: others.count,
        ...(earlier ? { earlier } : {}),
      };
    },

    /** Answers the id of the invite to this email that it replaced, expired ones included. */
    async replaceInvite(transaction: DatabaseTransaction, invite: NewInvite): Promise<string | undefined> {
      const earlier = await transaction
        .deleteFrom('invites')
        .where('organization_id', '=', invite.organizationId)
        .where('email', '=', invite.email)
        .returning('id')
        .executeTakeFirst();
      await transaction
        .insertInto('invites')
        .values({
          id: invite.id,
          organization_id: invite.organizationId,
          email: invite.email,
          role: invite.role,
          token_hash: invite.tokenHash,
          invited_by: invite.invitedBy,
          created_at: invite.createdAt,
          expires_at: invite.expiresAt,
          group_id: invite.place?.groupId ?? null,
          controller_id: invite.place?.controllerId ?? null,
          grant_ends_at: invite.until,
        })
        .execute();
      return earlier?.id;
    },

    getInvite: (
      transaction: DatabaseTransaction,
      scope: Scope,
      organizationId: string,
      id: string,
      now: Date,
    ) =>
      live(transaction, now)
        .select(['id', 'email', 'role', 'group_id as groupId', 'controller_id as controllerId'])
        .where('id', '=', id)
        .where('organization_id', '=', organizationId)
        .where(isAt(scope, organizationId))
        .executeTakeFirst(),

    async deleteInvites(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await transaction.deleteFrom('invites').where('id', 'in', ids).execute();
    },

    /** What somebody has invited to, with the roles: they may have lost the right to grant these. */
    listOfInviter: (transaction: DatabaseTransaction, organizationId: string, userId: string) =>
      transaction
        .selectFrom('invites')
        .select(['id', 'email', 'role'])
        .where('organization_id', '=', organizationId)
        .where('invited_by', '=', userId)
        .execute(),

    async listIds(transaction: DatabaseTransaction, organizationId: string): Promise<string[]> {
      const rows = await transaction
        .selectFrom('invites')
        .select('id')
        .where('organization_id', '=', organizationId)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Uses a token up, in one statement: of two at once one succeeds. With the inviter's role of now. */
    takeInvite: (transaction: DatabaseTransaction, invite: { tokenHash: Buffer; email: string }, now: Date) =>
      transaction
        .deleteFrom('invites')
        .where('token_hash', '=', invite.tokenHash)
        .where('email', '=', invite.email)
        .where('expires_at', '>', now)
        .returning(['id', 'role', 'organization_id as organizationId', 'invited_by as invitedBy'])
        .returning(['group_id as groupId', 'controller_id as controllerId', 'grant_ends_at as until'])
        .returning(
          strongestRole(sql.ref('invites.invited_by'), sql.ref('invites.organization_id'), place).as(
            'inviterRole',
          ),
        )
        .executeTakeFirst(),

    /** False for whoever is a member already: their role stays. */
    async addMember(
      transaction: DatabaseTransaction,
      member: { organizationId: string; userId: string; role: Role; joinedAt: Date },
    ): Promise<boolean> {
      const row = await transaction
        .insertInto('memberships')
        .values({
          organization_id: member.organizationId,
          user_id: member.userId,
          role: member.role,
          joined_at: member.joinedAt,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('role')
        .executeTakeFirst();
      return row !== undefined;
    },

    async deleteExpired(transaction: DatabaseTransaction, now: Date): Promise<string[]> {
      const rows = await transaction
        .deleteFrom('invites')
        .where('expires_at', '<=', now)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },
  };
}
export type InvitesRepository = ReturnType<typeof createInvitesRepository>;
