import { rolesAllowed } from '@pult/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/schema.ts';
import { lacksRequiredSignIn } from '../../accounts/index.ts';
import { lacksSecondFactor } from '../../organizations/index.ts';
import { editingPermission } from './grafana-role.ts';

/** What a ticket or a cookie of Grafana's host gives access to, as true as the last look at the database. */
export interface GrafanaAccess {
  id: string;
  userId: string;
  organizationId: string;
  /** Grafana's id of the organization. */
  grafanaId: number;
  path: string;
  expiresAt: Date;
}

export interface NewGrafanaAccess {
  id: string;
  userId: string;
  sessionId: string;
  organizationId: string;
  path: string;
  ticketHash: Buffer;
  ticketExpiresAt: Date;
  createdAt: Date;
  expiresAt: Date;
}

/** A user may have them open in so many browsers and organizations; one more forgets the oldest. */
const accessesPerUser = 100;

/**
 * SQL of accesses to Grafana. Whatever reads one asks in the same statement whether it still holds: the session lives,
 * its user may read what the organization measures and has the second factor it wants, and Grafana knows the role that
 * the user has now. `isTotpEnabled` is TOTP_AUTH_ENABLED.
 */
export function createGrafanaAccessesRepository(db: Database, { isTotpEnabled }: { isTotpEnabled: boolean }) {
  const holding = (now: Date) =>
    db
      .selectFrom('grafana_accesses as access')
      .innerJoin('sessions', 'sessions.id', 'access.session_id')
      .innerJoin('organizations', 'organizations.id', 'access.organization_id')
      .innerJoin('users', 'users.id', 'access.user_id')
      .innerJoin('memberships', (join) =>
        join
          .onRef('memberships.user_id', '=', 'access.user_id')
          .onRef('memberships.organization_id', '=', 'access.organization_id'),
      )
      .innerJoin('grafana_members as told', (join) =>
        join
          .onRef('told.user_id', '=', 'access.user_id')
          .onRef('told.organization_id', '=', 'access.organization_id'),
      )
      .innerJoin('grafana_organizations as grafana', 'grafana.organization_id', 'access.organization_id')
      .where('memberships.role', 'in', rolesAllowed('telemetry.read'))
      .where((eb) =>
        eb(
          'told.role',
          '=',
          eb
            .case()
            .when('memberships.role', 'in', rolesAllowed(editingPermission))
            .then(sql.lit('Editor' as const))
            .else(sql.lit('Viewer' as const))
            .end(),
        ),
      )
      .where(({ not }) => not(lacksSecondFactor(isTotpEnabled, sql.ref('access.session_id'))))
      .where(({ not }) => not(lacksRequiredSignIn(sql.ref('access.session_id'))))
      .where('sessions.expires_at', '>', now)
      .where('access.expires_at', '>', now)
      .where('grafana.grafana_id', 'is not', null)
      .select([
        'access.id as id',
        'access.user_id as userId',
        'access.organization_id as organizationId',
        'grafana.grafana_id as grafanaId',
        'access.path as path',
        'access.expires_at as expiresAt',
      ]);

  const toAccess = (row: (Omit<GrafanaAccess, 'grafanaId'> & { grafanaId: string | null }) | undefined) =>
    row && { ...row, grafanaId: Number(row.grafanaId) };

  return {
    async createAccess(access: NewGrafanaAccess): Promise<void> {
      await db
        .insertInto('grafana_accesses')
        .values({
          id: access.id,
          user_id: access.userId,
          session_id: access.sessionId,
          organization_id: access.organizationId,
          path: access.path,
          ticket_hash: access.ticketHash,
          ticket_expires_at: access.ticketExpiresAt,
          created_at: access.createdAt,
          expires_at: access.expiresAt,
        })
        .execute();
      const own = db.selectFrom('grafana_accesses').where('user_id', '=', access.userId);
      await db
        .deleteFrom('grafana_accesses')
        .where('user_id', '=', access.userId)
        .where('id', 'not in', own.select('id').orderBy('id', 'desc').limit(accessesPerUser))
        .execute();
    },

    /** Uses a ticket up, in one statement: of two at once one succeeds. */
    async redeemTicket(hash: Buffer, cookieHash: Buffer, now: Date): Promise<GrafanaAccess | undefined> {
      const row = await db
        .updateTable('grafana_accesses')
        .set({ ticket_hash: null, cookie_hash: cookieHash })
        .where('ticket_hash', '=', hash)
        .where('ticket_expires_at', '>', now)
        .returning('id')
        .executeTakeFirst();
      return row && toAccess(await holding(now).where('access.id', '=', row.id).executeTakeFirst());
    },

    async getByCookie(cookieHash: Buffer, now: Date): Promise<GrafanaAccess | undefined> {
      return toAccess(await holding(now).where('access.cookie_hash', '=', cookieHash).executeTakeFirst());
    },

    /** Which of these still hold. */
    async listHolding(ids: readonly string[], now: Date): Promise<string[]> {
      const rows = await holding(now)
        .where('access.id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .execute();
      return rows.map(({ id }) => id);
    },

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('grafana_accesses').where('expires_at', '<=', now).execute();
    },
  };
}
export type GrafanaAccessesRepository = ReturnType<typeof createGrafanaAccessesRepository>;
