import type { Notice, NoticeState } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';
import { organizationsInScope, type Scope } from '../organizations/index.ts';

export interface NoticeFilters {
  /** The serial number contains it. */
  serialNumber?: string | undefined;
  states?: readonly NoticeState[] | undefined;
}

/** SQL of what was raised, as people see it. */
export function createNoticesRepository(db: Database) {
  const matching = (scope: Scope, organizationId: string, { serialNumber, states }: NoticeFilters) => {
    let query = db
      .selectFrom('notices')
      .innerJoin('controllers', 'controllers.id', 'notices.controller_id')
      // One at most, and written so: then an index gives the order of the page.
      .where('notices.organization_id', '=', organizationsInScope(scope, organizationId));
    if (serialNumber) {
      const pattern = `%${serialNumber.replace(/[\\%_]/g, '\\$&')}%`;
      query = query.where(sql<SqlBool>`controllers.serial_number ilike ${pattern}`);
    }
    if (states?.length === 1) {
      query = query.where('notices.recovered_at', states[0] === 'open' ? 'is' : 'is not', null);
    }
    return query;
  };

  return {
    /** Newest first. */
    async list(
      scope: Scope,
      organizationId: string,
      filters: NoticeFilters,
      page: { limit: number; offset: number },
    ): Promise<Notice[]> {
      const rows = await matching(scope, organizationId, filters)
        .leftJoin('groups', 'groups.id', 'controllers.group_id')
        .select([
          'notices.id',
          'notices.lost_at',
          'notices.raised_at',
          'notices.told_at',
          'notices.recovered_at',
          'controllers.serial_number',
          'controllers.description',
          'groups.id as groupId',
          'groups.name as groupName',
        ])
        .orderBy('notices.raised_at', 'desc')
        .orderBy('notices.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        controller: { serialNumber: row.serial_number, description: row.description },
        group: row.groupId === null ? null : { id: row.groupId, name: row.groupName ?? '' },
        lostAt: row.lost_at.toISOString(),
        raisedAt: row.raised_at.toISOString(),
        toldAt: row.told_at?.toISOString() ?? null,
        recoveredAt: row.recovered_at?.toISOString() ?? null,
      }));
    },

    async count(scope: Scope, organizationId: string, filters: NoticeFilters): Promise<number> {
      const { count } = await matching(scope, organizationId, filters)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}
export type NoticesRepository = ReturnType<typeof createNoticesRepository>;
