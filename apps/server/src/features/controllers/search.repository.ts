import type { FoundGroup } from '@pult/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Scope, visibleGroups } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { contains, escapePattern } from './controller-filters.repository.ts';

/** What is looked for: all of it as it was typed, and its words. */
export interface RankedText {
  whole: string;
  words: readonly string[];
}

/** More would only make the question longer, not the answer shorter. */
const mostWords = 8;

export function splitWords(text: string): RankedText {
  const words = text.split(/\s+/).filter((word) => word !== '');
  return { whole: text, words: [...new Set(words)].slice(0, mostWords) };
}

/** The ranks of serial numbers, which do not overlap: this very one, those that begin so, all others. */
export function serialRanks({ whole }: RankedText): Expression<SqlBool>[] {
  const serialNumber = whole.toUpperCase();
  const beginsSo = sql`controllers.serial_number like ${`${escapePattern(serialNumber)}%`}`;
  return [
    sql<SqlBool>`controllers.serial_number = ${serialNumber}`,
    sql<SqlBool>`${beginsSo} and controllers.serial_number <> ${serialNumber}`,
    sql<SqlBool>`not (${beginsSo})`,
  ];
}

/** The names of those above a group, from the root. */
const pathOfGroup = sql<string[]>`array(
  with recursive above as (
    select id, parent_id, name, 0 as distance from groups upper_group where upper_group.id = groups.parent_id
    union all
    select upper_group.id, upper_group.parent_id, upper_group.name, distance + 1
    from groups upper_group join above on upper_group.id = above.parent_id
  ) select name from above order by distance desc)`;

/** SQL of what a search finds besides controllers. */
export function createSearchRepository(db: Database) {
  return {
    /** Groups whose names hold every word, best first: of this very name, that begin so, the others. */
    async listGroups(scope: Scope, { whole, words }: RankedText, limit: number): Promise<FoundGroup[]> {
      let query = db
        .selectFrom('groups')
        .innerJoin('organizations', 'organizations.id', 'groups.organization_id')
        .select(['groups.id', 'groups.name', pathOfGroup.as('path')])
        .select(['organizations.id as organizationId', 'organizations.name as organizationName'])
        .where(visibleGroups(scope, {}));
      for (const word of words) query = query.where(contains(sql.ref('groups.name'), word));
      const rows = await query
        .orderBy(sql`lower(groups.name) = lower(${whole})`, 'desc')
        .orderBy(sql`groups.name ilike ${`${escapePattern(whole)}%`}`, 'desc')
        .orderBy(sql`translate(lower(groups.name), 'ё', 'е') collate "C"`)
        .orderBy('groups.id')
        .limit(limit)
        .execute();
      return rows.map(({ organizationId: id, organizationName: name, ...group }) => ({
        ...group,
        organization: { id, name },
      }));
    },
  };
}
export type SearchRepository = ReturnType<typeof createSearchRepository>;
