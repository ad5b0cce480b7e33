import { sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { type ControllerFilters, groupRoots, matchingControllers } from '../controllers/index.ts';

/** How many there are in a root group with all under it; of null, in no group. */
export interface CountAt<What> {
  what: What;
  groupId: string | null;
  groupName: string | null;
  count: number;
}

/** SQL of what needs attention. */
export function createAttentionRepository(db: Database) {
  return {
    /** Of controllers that match filters of the list, each under its name; most first. */
    async countMatching<Name extends string>(
      scope: Scope,
      organizationId: string,
      filters: Readonly<Record<Name, ControllerFilters>>,
    ): Promise<CountAt<Name>[]> {
      const counts = await Promise.all(
        Object.entries<ControllerFilters>(filters).map(async ([name, each]) => {
          const query = await matchingControllers(db, scope, { ...each, organization_id: organizationId });
          return query
            .select([sql<string>`${name}::text`.as('what'), 'controllers.group_id'])
            .select(sql<number>`count(*)`.as('count'))
            .groupBy('controllers.group_id');
        }),
      );
      const { rows } = await sql<CountAt<Name>>`
        with recursive ${groupRoots(organizationId)}
        select found.what, roots.root as "groupId", roots.name as "groupName", sum(found.count)::int as count
        from (${sql.join(counts, sql` union all `)}) as found
        left join roots on roots.id = found.group_id
        group by 1, 2, 3 order by count desc, 3`.execute(db);
      return rows;
    },

    /** Of the controllers whose agent the server can update, by the version of that; most first. */
    async countAgents(
      scope: Scope,
      organizationId: string,
      filters: ControllerFilters,
    ): Promise<CountAt<string>[]> {
      const query = await matchingControllers(db, scope, { ...filters, organization_id: organizationId });
      const agents = query
        .select(['controllers.agent_version', 'controllers.group_id'])
        .select(sql<number>`count(*)`.as('count'))
        .groupBy(['controllers.agent_version', 'controllers.group_id']);
      const { rows } = await sql<CountAt<string>>`
        with recursive ${groupRoots(organizationId)}
        select agents.agent_version as what, roots.root as "groupId", roots.name as "groupName",
          sum(agents.count)::int as count
        from ${agents} as agents left join roots on roots.id = agents.group_id
        group by 1, 2, 3 order by count desc, 3`.execute(db);
      return rows;
    },
  };
}
export type AttentionRepository = ReturnType<typeof createAttentionRepository>;
