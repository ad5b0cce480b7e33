import type { Database, GrafanaRole } from '../../../platform/db/schema.ts';
import { type GrafanaMember, roleInGrafana } from './grafana-role.ts';

export interface GrafanaOrganization {
  organizationId: string;
  /** Null until it was made in Grafana. */
  grafanaId: number | null;
  /** What it is called there, and here; without the latter it was deleted here. */
  toldName: string | null;
  name: string | null;
  revision: string | null;
}

const toNumber = (id: string | null) => (id === null ? null : Number(id));

/** What is in Grafana by our doing, and what should be. Read by the service itself, for no user. */
export function createGrafanaRepository(db: Database) {
  return {
    /** Before the first call to Grafana: what is begun there is written down here. */
    async addOrganization(organizationId: string): Promise<void> {
      await db
        .insertInto('grafana_organizations')
        .values({ organization_id: organizationId, grafana_id: null, name: null, revision: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async listOrganizations(organizationId?: string): Promise<GrafanaOrganization[]> {
      const rows = await db
        .selectFrom('grafana_organizations as told')
        .leftJoin('organizations as own', 'own.id', 'told.organization_id')
        .$if(organizationId !== undefined, (query) =>
          query.where('told.organization_id', '=', organizationId ?? ''),
        )
        .select([
          'told.organization_id as organizationId',
          'told.grafana_id as grafanaId',
          'told.name as toldName',
          'own.name as name',
          'told.revision as revision',
        ])
        .execute();
      return rows.map((row) => ({ ...row, grafanaId: toNumber(row.grafanaId) }));
    },

    async updateOrganization(
      organizationId: string,
      told: { grafanaId: number | null; name: string | null; revision: string | null },
    ): Promise<void> {
      await db
        .updateTable('grafana_organizations')
        .set({ grafana_id: told.grafanaId, name: told.name, revision: told.revision })
        .where('organization_id', '=', organizationId)
        .execute();
    },

    async deleteOrganization(organizationId: string): Promise<void> {
      await db.deleteFrom('grafana_members').where('organization_id', '=', organizationId).execute();
      await db.deleteFrom('grafana_organizations').where('organization_id', '=', organizationId).execute();
    },

    /** The organization here that stands behind one of Grafana's. */
    async getOrganizationId(grafanaId: number): Promise<string | undefined> {
      const row = await db
        .selectFrom('grafana_organizations')
        .select('organization_id')
        .where('grafana_id', '=', String(grafanaId))
        .executeTakeFirst();
      return row?.organization_id;
    },

    /** Before the user is made in Grafana. */
    async addMember(organizationId: string, userId: string): Promise<void> {
      await db
        .insertInto('grafana_members')
        .values({ organization_id: organizationId, user_id: userId, grafana_id: null, role: null })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    /** Those who are in Grafana, with the role that they should have there. */
    async listMembers(organizationId: string, userId?: string): Promise<GrafanaMember[]> {
      const rows = await db
        .selectFrom('grafana_members as told')
        .leftJoin('memberships', (join) =>
          join
            .onRef('memberships.organization_id', '=', 'told.organization_id')
            .onRef('memberships.user_id', '=', 'told.user_id'),
        )
        .leftJoin('users', 'users.id', 'told.user_id')
        .where('told.organization_id', '=', organizationId)
        .$if(userId !== undefined, (query) => query.where('told.user_id', '=', userId ?? ''))
        .select([
          'told.user_id as userId',
          'told.grafana_id as grafanaId',
          'told.role as toldRole',
          'memberships.role as role',
          'users.email as email',
        ])
        .execute();
      return rows.map(({ role, grafanaId, ...row }) => ({
        ...row,
        grafanaId: toNumber(grafanaId),
        role: role === null ? null : roleInGrafana(role),
      }));
    },

    /** False when the member was taken out meanwhile. */
    async updateMember(
      organizationId: string,
      userId: string,
      told: { grafanaId: number; role: GrafanaRole },
    ): Promise<boolean> {
      const row = await db
        .updateTable('grafana_members')
        .set({ grafana_id: told.grafanaId, role: told.role })
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .returning('user_id')
        .executeTakeFirst();
      return row !== undefined;
    },

    async deleteMember(organizationId: string, userId: string): Promise<void> {
      await db
        .deleteFrom('grafana_members')
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute();
    },

    /** All of an organization, when Grafana has lost it. */
    async deleteMembers(organizationId: string): Promise<void> {
      await db.deleteFrom('grafana_members').where('organization_id', '=', organizationId).execute();
    },
  };
}
export type GrafanaRepository = ReturnType<typeof createGrafanaRepository>;
