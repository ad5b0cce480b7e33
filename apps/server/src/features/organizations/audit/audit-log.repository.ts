import { type AuditAction, type AuditEvent, auditActionsOfControllers } from '@pult/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Scope } from '../../../platform/access/index.ts';
import { visibleControllers, wholeOrganizations } from '../../../platform/access/index.ts';
import type { Database } from '../../../platform/db/schema.ts';

/** Actions match exactly, texts are a case-insensitive "contains", the period is `from` included to `to` not. */
export interface AuditFilters {
  action?: readonly AuditAction[] | undefined;
  user?: string | undefined;
  subject?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** As it was written down; what is still there of it is looked up for those who are shown it. */
export type RecordedEvent = Omit<AuditEvent, 'existingControllers'>;

/** Where in the list an event stands: newest first, and by its id among those of one moment. */
export interface AuditPosition {
  at: Date;
  id: string;
}

function contains(column: Expression<unknown>, value: string): Expression<SqlBool> {
  return sql<SqlBool>`${column} ilike ${`%${value.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/** Of a part of the tree: what was done with its controllers. */
function isEventVisible(scope: Scope, organizationId: string) {
  return sql<SqlBool>`(
    exists ${wholeOrganizations(scope, organizationId)}
    or (audit_events.action = any(${[...auditActionsOfControllers]}) and exists (
      select from controllers
      where controllers.serial_number = audit_events.subject and ${visibleControllers(scope, { organizationId })})))`;
}

/** SQL of what happened in an organization. Logins and the like belong to their users and have none. */
export function createAuditLogRepository(db: Database) {
  const matching = (scope: Scope, organizationId: string, filters: AuditFilters) => {
    let query = db
      .selectFrom('audit_events')
      .leftJoin('users', 'users.id', 'audit_events.user_id')
      .where(
        'audit_events.organization_id',
        '=',
        // One value, so that an index gives the order of a page.
        scope.hasGrants ? organizationId : wholeOrganizations(scope, organizationId),
      )
      .$if(scope.hasGrants, (whole) => whole.where(isEventVisible(scope, organizationId)));
    const { action, user, subject, from, to } = filters;
    if (action) query = query.where('audit_events.action', 'in', action);
    if (user) query = query.where(contains(sql.ref('users.email'), user));
    if (subject) query = query.where(contains(sql.ref('audit_events.subject'), subject));
    if (from) {
      // Those that began in the minute before may go on into the period.
      query = query
        .where('audit_events.at', '>=', new Date(from.getTime() - 60_000))
        .where(sql<SqlBool>`coalesce(audit_events.last_at, audit_events.at) >= ${from}`);
    }
    if (to) query = query.where('audit_events.at', '<', to);
    return query;
  };

  const newestFirst = (query: ReturnType<typeof matching>) =>
    query
      .selectAll('audit_events')
      .select(['users.email', 'users.kind'])
      .orderBy('audit_events.at', 'desc')
      .orderBy('audit_events.id', 'desc');
  type Row = Awaited<ReturnType<ReturnType<typeof newestFirst>['executeTakeFirstOrThrow']>>;

  function toEvent(row: Row): RecordedEvent {
    const { user_id: userId, email, kind } = row;
    const user = userId !== null && email !== null ? { id: userId, email } : null;
    return {
      id: row.id,
      at: row.at.toISOString(),
      count: row.count,
      lastAt: (row.last_at ?? row.at).toISOString(),
      // Only recordAudit writes these two columns, from the very types of the contract.
      action: row.action as AuditAction,
      user: user && kind !== null && kind !== 'person' ? { ...user, kind } : user,
      subject: row.subject,
      address: row.address,
      details: row.details as RecordedEvent['details'],
    };
  }

  return {
    async listEvents(
      scope: Scope,
      organizationId: string,
      filters: AuditFilters,
      page: { limit: number; offset: number },
    ): Promise<RecordedEvent[]> {
      const query = newestFirst(matching(scope, organizationId, filters));
      return (await query.limit(page.limit).offset(page.offset).execute()).map(toEvent);
    },

    /** Those that follow a position in the list, for reading all of it in parts. */
    async listEventsAfter(
      scope: Scope,
      organizationId: string,
      filters: AuditFilters,
      part: { after: AuditPosition | undefined; limit: number },
    ): Promise<RecordedEvent[]> {
      let query = newestFirst(matching(scope, organizationId, filters));
      const { after, limit } = part;
      if (after) {
        query = query.where(
          sql<SqlBool>`(audit_events.at, audit_events.id) < (${after.at}::timestamptz, ${after.id}::uuid)`,
        );
      }
      return (await query.limit(limit).execute()).map(toEvent);
    },

    /** Those of the serial numbers that are controllers of the organization. */
    async listExistingControllers(
      scope: Scope,
      organizationId: string,
      serialNumbers: readonly string[],
    ): Promise<string[]> {
      const rows = await db
        .selectFrom('controllers')
        .select('serial_number')
        .where('organization_id', '=', organizationId)
        .where(visibleControllers(scope, { organizationId }))
        .where('serial_number', '=', sql<string>`any(${[...serialNumbers]}::text[])`)
        .execute();
      return rows.map((row) => row.serial_number);
    },

    async countEvents(scope: Scope, organizationId: string, filters: AuditFilters): Promise<number> {
      const { count } = await matching(scope, organizationId, filters)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Of all organizations and users. */
    async deleteBefore(time: Date): Promise<void> {
      await db.deleteFrom('audit_events').where('at', '<', time).execute();
    },
  };
}
export type AuditLogRepository = ReturnType<typeof createAuditLogRepository>;
