import type { AgentUpdate, ConnectionKind } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { type ControllerFilters, matchingControllers } from '../controllers/index.ts';
import { enrolmentOfController } from '../devices/index.ts';

/** A controller whose agent may be updated. */
export interface UpdateTarget {
  controllerId: string;
  organizationId: string;
  enrolmentId: string;
  serialNumber: string;
  connectionKind: ConnectionKind;
  agentVersion: string;
}

/** An update that is to be begun. */
export interface NewUpdate {
  id: string;
  controllerId: string;
  fromVersion: string;
  toVersion: string;
  mayDowngrade: boolean;
  requestedBy: string | null;
  createdAt: Date;
}

export const targetColumns = [
  'controllers.id as controllerId',
  'controllers.organization_id as organizationId',
  enrolmentOfController.as('enrolmentId'),
  'controllers.serial_number as serialNumber',
  'controllers.connection_kind as connectionKind',
  'controllers.agent_version as agentVersion',
] as const;

/** Begins updates in place of earlier ones; of a controller that is being updated it begins none. Answers the controllers. */
export async function createUpdates(db: Database, updates: readonly NewUpdate[]): Promise<Set<string>> {
  const column = <Key extends keyof NewUpdate>(key: Key) => updates.map((update) => update[key]);
  const { rows } = await sql<{ controllerId: string }>`
    insert into agent_updates (controller_id, id, status, from_version, to_version, may_downgrade, requested_by,
      is_automatic, created_at)
    select controller_id, id, 'waiting', from_version, to_version, may_downgrade, requested_by, requested_by is null,
      created_at
    from unnest(${column('controllerId')}::uuid[], ${column('id')}::uuid[], ${column('fromVersion')}::text[],
      ${column('toVersion')}::text[], ${column('mayDowngrade')}::boolean[], ${column('requestedBy')}::uuid[],
      ${column('createdAt')}::timestamptz[])
      as rows (controller_id, id, from_version, to_version, may_downgrade, requested_by, created_at)
    order by controller_id
    on conflict (controller_id) do update set id = excluded.id, status = excluded.status, reason = null, detail = null,
      from_version = excluded.from_version, to_version = excluded.to_version, may_downgrade = excluded.may_downgrade,
      requested_by = excluded.requested_by, is_automatic = excluded.is_automatic, created_at = excluded.created_at,
      sent_at = null, silent_seconds = 0, finished_at = null
    where agent_updates.status not in ('waiting', 'running')
    returning controller_id as "controllerId"`.execute(db);
  return new Set(rows.map(({ controllerId }) => controllerId));
}

/** SQL of updates of agents, as people ask for them and see them. */
export function createAgentUpdatesRepository(db: Database) {
  return {
    getTarget: (scope: Scope, serialNumber: string): Promise<UpdateTarget | undefined> =>
      db
        .selectFrom('controllers')
        .select(targetColumns)
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .executeTakeFirst(),

    async getLatest(scope: Scope, serialNumber: string): Promise<AgentUpdate | null> {
      const row = await db
        .selectFrom('agent_updates')
        .innerJoin('controllers', 'controllers.id', 'agent_updates.controller_id')
        .leftJoin('users', 'users.id', 'agent_updates.requested_by')
        .selectAll('agent_updates')
        .select('users.email')
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .executeTakeFirst();
      if (!row) return null;
      const { id, status, reason, detail, requested_by: userId, email } = row;
      return {
        ...{ id, status, reason, detail },
        fromVersion: row.from_version,
        toVersion: row.to_version,
        created: row.created_at.toISOString(),
        finished: row.finished_at?.toISOString() ?? null,
        requestedBy: userId !== null && email !== null ? { id: userId, email } : null,
      };
    },

    /** Of an organization, by serial numbers or by the list's filters; so that their number stays what it is. */
    async lockTargets(
      transaction: DatabaseTransaction,
      scope: Scope,
      chosen: { controllers: readonly string[] } | { filter: ControllerFilters },
    ): Promise<UpdateTarget[]> {
      const filters = 'filter' in chosen ? chosen.filter : {};
      const matching = await matchingControllers(transaction, scope, filters, { isPlanned: false });
      return matching
        .select(targetColumns)
        .$if('controllers' in chosen, (query) =>
          query.where(
            'controllers.serial_number',
            '=',
            sql<string>`any(${'controllers' in chosen ? [...chosen.controllers] : []}::text[])`,
          ),
        )
        .orderBy('controllers.id')
        .forKeyShare('controllers')
        .execute();
    },

    createUpdates,
  };
}
export type AgentUpdatesRepository = ReturnType<typeof createAgentUpdatesRepository>;
