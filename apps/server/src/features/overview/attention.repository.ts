import { sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import {
  type ControllerFilters,
  type CountAt,
  groupRoots,
  matchingControllers,
} from '../controllers/index.ts';

/** Of more than so many nobody reads where they are: their rows are not looked at, as an index has their number. */
const mostPlaced = 5000;

/** SQL of what needs attention. */
export function createAttentionRepository(db: Database) {
  return {
    /** How many match filters of the list, each under its name. */
    async countMatching<Name extends string>(
      scope: Scope,
      organizationId: string,
      filters: Readonly<Record<Name, ControllerFilters>>,
    ): Promise<{ what: Name; count: number }[]> {
      const counts = await Promise.all(
        Object.entries<ControllerFilters>(filters).map(async ([name, each]) => {
          const query = await matchingControllers(db, scope, { ...each, organization_id: organizationId });
          return query
            .select(sql<string>`${name}::text`.as('what'))
            .select(sql<number>`count(*)::int`.as('count'));
        }),
      );
      const { rows } = await sql<{ what: Name; count: number }>`
        select found.what, found.count from (${sql.join(counts, sql` union all `)}) as found`.execute(db);
      return rows;
    },

    /** Where these are, most first; of many only some. */
    async countPlaces<Name extends string>(
      scope: Scope,
      organizationId: string,
      filters: Readonly<Record<Name, ControllerFilters>>,
    ): Promise<CountAt<Name>[]> {
      const controllers = await Promise.all(
        Object.entries<ControllerFilters>(filters).map(async ([name, each]) => {
          const query = await matchingControllers(db, scope, { ...each, organization_id: organizationId });
          return query
            .select([sql<string>`${name}::text`.as('what'), 'controllers.group_id'])
            .limit(mostPlaced + 1);
        }),
      );
      const { rows } = await sql<CountAt<Name>>`
        with recursive ${groupRoots(organizationId)}
        select found.what, roots.root as "groupId", roots.name as "groupName", count(*)::int as count
        from (${sql.join(controllers, sql` union all `)}) as found
        left join roots on roots.id = found.group_id
        group by 1, 2, 3 order by count desc, 3`.execute(db);
      return rows;
    },
  };
}
export type AttentionRepository = ReturnType<typeof createAttentionRepository>;
