import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';

export interface OpenChannel {
  channel: string;
  waiting: number;
  oldest: Date | null;
  refused: number;
}

export interface PeopleCounts {
  organizations: number;
  users: number;
  usersWithoutTotp: number;
  administrators: number;
  administratorsWithoutTotp: number;
}

export interface OrganizationFigures {
  id: string;
  name: string;
  createdAt: Date;
  controllers: number;
  members: number;
  membersWithoutTotp: number;
  archiveBytes: number;
}

/** SQL of the whole installation, for its administrators: it has no scope. */
export function createInstallationRepository(db: Database) {
  return {
    async getDatabase(): Promise<{ version: string; bytes: number }> {
      const { rows } = await sql<{ version: string; bytes: number }>`
        select current_setting('server_version') as version,
          pg_database_size(current_database())::float8 as bytes`.execute(db);
      return rows[0] ?? { version: '', bytes: 0 };
    },

    /** By channel: what waits and can still be sent, since when, and what was given up after `since`. */
    async listChannels(since: Date): Promise<OpenChannel[]> {
      const { rows } = await sql<OpenChannel>`
        select channel,
          (count(*) filter (where status = 'waiting' and content is not null))::int as waiting,
          min(created_at) filter (where status = 'waiting' and content is not null) as oldest,
          (count(*) filter (where status = 'refused' and tried_at > ${since}))::int as refused
        from deliveries where status in ('waiting', 'refused') group by channel order by channel`.execute(db);
      return rows;
    },

    /** Of any organization. */
    async isOwner(userId: string): Promise<boolean> {
      const row = await db
        .selectFrom('memberships')
        .select('user_id')
        .where('user_id', '=', userId)
        .where('role', '=', 'owner')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async countPeople(): Promise<PeopleCounts> {
      const { rows } = await sql<PeopleCounts>`
        select (select count(*)::int from organizations) as organizations,
          count(*)::int as users,
          (count(*) filter (where totp_secret is null))::int as "usersWithoutTotp",
          (count(*) filter (where is_administrator))::int as administrators,
          (count(*) filter (where is_administrator and totp_secret is null))::int as "administratorsWithoutTotp"
        from users where kind = 'person'`.execute(db);
      const none = { organizations: 0, users: 0, usersWithoutTotp: 0 };
      return rows[0] ?? { ...none, administrators: 0, administratorsWithoutTotp: 0 };
    },

    /** Those with the most controllers first. */
    async listOrganizations({
      limit,
      offset,
    }: {
      limit: number;
      offset: number;
    }): Promise<OrganizationFigures[]> {
      const { rows } = await sql<OrganizationFigures>`
        select organizations.id, name, organizations.created_at as "createdAt",
          coalesce(fleet.controllers, 0)::int as controllers,
          coalesce(people.members, 0)::int as members,
          coalesce(people.without_totp, 0)::int as "membersWithoutTotp",
          coalesce(archives.bytes, 0)::float8 as "archiveBytes"
        from organizations
        left join (
          select organization_id, sum(change) as controllers from organization_counts group by 1
        ) fleet on fleet.organization_id = organizations.id
        left join (
          select memberships.organization_id, count(*) as members, count(*) filter (where totp_secret is null) as without_totp
          from memberships join users on users.id = user_id group by 1
        ) people on people.organization_id = organizations.id
        left join (
          select organization_id, sum(size) as bytes
          from diagnostics join controllers on controllers.id = controller_id where diagnostics.status = 'ready' group by 1
        ) archives on archives.organization_id = organizations.id
        order by controllers desc, name, organizations.id limit ${limit} offset ${offset}`.execute(db);
      return rows;
    },

    async countOrganizations(): Promise<number> {
      const { rows } = await sql<{ count: number }>`select count(*)::int as count from organizations`.execute(
        db,
      );
      return rows[0]?.count ?? 0;
    },
  };
}
export type InstallationRepository = ReturnType<typeof createInstallationRepository>;
