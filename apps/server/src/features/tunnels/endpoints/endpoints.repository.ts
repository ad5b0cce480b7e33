import { type ConnectionKind, limits, type NamedEndpoint } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';

/** A controller that its organization may change, locked until the transaction ends. */
export interface LockedController {
  id: string;
  organizationId: string;
  connectionKind: ConnectionKind;
}

export type StoredEndpoint = Omit<NamedEndpoint, 'isReserved'>;
/** As people name it. */
export type EndpointSettings = Omit<StoredEndpoint, 'oldTls'>;

/** Of the last time that it was opened; by HTTP there is none. */
const oldTls = sql<
  string | null
>`case when controller_endpoints.scheme = 'https' then controller_endpoints.old_tls end`;

const columns = [
  'controller_endpoints.port',
  'controller_endpoints.name',
  'controller_endpoints.scheme',
  'controller_endpoints.host_header as hostHeader',
  oldTls.as('oldTls'),
] as const;

/** SQL of the named web endpoints of controllers. */
export function createEndpointsRepository(db: Database) {
  return {
    list: (scope: Scope, serialNumber: string): Promise<StoredEndpoint[]> =>
      db
        .selectFrom('controller_endpoints')
        .innerJoin('controllers', 'controllers.id', 'controller_endpoints.controller_id')
        .select(columns)
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .orderBy('controller_endpoints.name')
        .orderBy('controller_endpoints.port')
        .execute(),

    /** Makes parallel changes of one controller's endpoints wait, so that their number is exact. */
    lockController: (
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
    ): Promise<LockedController | undefined> =>
      transaction
        .selectFrom('controllers')
        .select(['id', 'organization_id as organizationId', 'connection_kind as connectionKind'])
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .forNoKeyUpdate()
        .executeTakeFirst(),

    /** `full` when the controller has as many as allowed, `taken` when the port has a name already. */
    async create(
      transaction: DatabaseTransaction,
      controller: LockedController,
      { hostHeader, ...endpoint }: EndpointSettings,
      createdAt: Date,
    ): Promise<'created' | 'full' | 'taken'> {
      const rows = await transaction
        .selectFrom('controller_endpoints')
        .select('port')
        .where('controller_id', '=', controller.id)
        .execute();
      if (rows.some(({ port }) => port === endpoint.port)) return 'taken';
      if (rows.length >= limits.endpointsPerController) return 'full';
      await transaction
        .insertInto('controller_endpoints')
        .values({ controller_id: controller.id, created_at: createdAt, host_header: hostHeader, ...endpoint })
        .execute();
      return 'created';
    },

    /** Undefined when the controller has no endpoint on that port. */
    update: (
      transaction: DatabaseTransaction,
      controller: LockedController,
      port: number,
      { hostHeader, ...changes }: Partial<Omit<EndpointSettings, 'port'>>,
    ): Promise<StoredEndpoint | undefined> =>
      transaction
        .updateTable('controller_endpoints')
        // The port again, as a statement has to set something.
        .set({ port, ...changes, ...(hostHeader === undefined ? {} : { host_header: hostHeader }) })
        .where('controller_id', '=', controller.id)
        .where('port', '=', port)
        .returning(columns)
        .executeTakeFirst(),

    /** Notes what is old of the TLS of an endpoint; false where that is known. */
    async noteTls(
      { controllerId }: Pick<TunnelAccess, 'controllerId'>,
      port: number,
      old: string | null,
    ): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('controller_endpoints')
        .set({ old_tls: old })
        .where('controller_id', '=', controllerId)
        .where('port', '=', port)
        .where('old_tls', 'is distinct from', old)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },

    /** Undefined when the controller has no endpoint on that port. */
    delete: (
      transaction: DatabaseTransaction,
      controller: LockedController,
      port: number,
    ): Promise<StoredEndpoint | undefined> =>
      transaction
        .deleteFrom('controller_endpoints')
        .where('controller_id', '=', controller.id)
        .where('port', '=', port)
        .returning(columns)
        .executeTakeFirst(),
  };
}
export type EndpointsRepository = ReturnType<typeof createEndpointsRepository>;
