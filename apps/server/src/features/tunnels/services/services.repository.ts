import { limits, type Service } from '@pult/contract';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { organizationsInScope, type Scope } from '../../organizations/index.ts';

/** A controller that its organization may change, locked until the transaction ends. */
export interface LockedController {
  id: string;
  organizationId: string;
}

/** SQL of the named web services of controllers. */
export function createServicesRepository(db: Database) {
  return {
    list: (scope: Scope, serialNumber: string): Promise<Service[]> =>
      db
        .selectFrom('controller_services')
        .innerJoin('controllers', 'controllers.id', 'controller_services.controller_id')
        .select(['controller_services.port', 'controller_services.name', 'controller_services.scheme'])
        .where('controllers.serial_number', '=', serialNumber)
        .where('controllers.organization_id', 'in', organizationsInScope(scope))
        .orderBy('controller_services.name')
        .orderBy('controller_services.port')
        .execute(),

    /** Makes parallel changes of one controller's services wait, so that their number is exact. */
    lockController: (
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
    ): Promise<LockedController | undefined> =>
      transaction
        .selectFrom('controllers')
        .select(['id', 'organization_id as organizationId'])
        .where('serial_number', '=', serialNumber)
        .where('organization_id', 'in', organizationsInScope(scope))
        .forNoKeyUpdate()
        .executeTakeFirst(),

    /** `full` when the controller has as many as allowed, `taken` when the port has a name already. */
    async create(
      transaction: DatabaseTransaction,
      controller: LockedController,
      service: Service,
      createdAt: Date,
    ): Promise<'created' | 'full' | 'taken'> {
      const rows = await transaction
        .selectFrom('controller_services')
        .select('port')
        .where('controller_id', '=', controller.id)
        .execute();
      if (rows.some(({ port }) => port === service.port)) return 'taken';
      if (rows.length >= limits.servicesPerController) return 'full';
      await transaction
        .insertInto('controller_services')
        .values({ controller_id: controller.id, created_at: createdAt, ...service })
        .execute();
      return 'created';
    },

    /** Undefined when the controller has no service on that port. */
    update: (
      transaction: DatabaseTransaction,
      controller: LockedController,
      port: number,
      changes: Partial<Omit<Service, 'port'>>,
    ): Promise<Service | undefined> =>
      transaction
        .updateTable('controller_services')
        // The port again, as a statement has to set something.
        .set({ port, ...changes })
        .where('controller_id', '=', controller.id)
        .where('port', '=', port)
        .returning(['port', 'name', 'scheme'])
        .executeTakeFirst(),

    /** Undefined when the controller has no service on that port. */
    delete: (
      transaction: DatabaseTransaction,
      controller: LockedController,
      port: number,
    ): Promise<Service | undefined> =>
      transaction
        .deleteFrom('controller_services')
        .where('controller_id', '=', controller.id)
        .where('port', '=', port)
        .returning(['port', 'name', 'scheme'])
        .executeTakeFirst(),
  };
}
export type ServicesRepository = ReturnType<typeof createServicesRepository>;
