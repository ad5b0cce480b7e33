import { type AuditAction, limits, type NamedEndpoint } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { ControllersService } from '../../controllers/index.ts';
import { createScope } from '../../organizations/index.ts';
import type { EndpointsRepository, LockedController } from './endpoints.repository.ts';

interface Dependencies {
  db: Database;
  repository: EndpointsRepository;
  controllers: Pick<ControllersService, 'requirePermission'>;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

interface Place {
  serialNumber: string;
  /** Of the client. */
  address: string;
}

/** The names that people give to web servers on further ports of a controller. Whoever may edit it may name them. */
export function createEndpointsService(dependencies: Dependencies) {
  const { db, repository, controllers, events, recordAudit, clock } = dependencies;

  /** Changes the endpoints of one controller, one change at a time; what it returns is written down. */
  async function change(
    principal: Principal,
    { serialNumber, address }: Place,
    action: AuditAction,
    work: (
      transaction: DatabaseTransaction,
      controller: LockedController,
    ) => Promise<NamedEndpoint | undefined>,
  ): Promise<{ endpoint: NamedEndpoint; controller: LockedController }> {
    await controllers.requirePermission(principal, serialNumber, 'controllers.update');
    const scope = createScope(principal, 'controllers.update');
    const changed = await db.transaction().execute(async (transaction) => {
      const controller = await repository.lockController(transaction, scope, serialNumber);
      if (!controller) throw new DomainError('controller_not_found', { serialNumber });
      const endpoint = await work(transaction, controller);
      if (!endpoint) throw new DomainError('service_not_found');
      const { userId } = principal;
      const { organizationId } = controller;
      const details = { service: endpoint.name, port: endpoint.port };
      await recordAudit(
        { action, userId, organizationId, subject: serialNumber, address, details },
        transaction,
      );
      return { endpoint, controller };
    });
    const { organizationId } = changed.controller;
    events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    return changed;
  }

  return {
    async list(principal: Principal, serialNumber: string): Promise<NamedEndpoint[]> {
      await controllers.requirePermission(principal, serialNumber, 'controllers.read');
      return repository.list(createScope(principal, 'controllers.read'), serialNumber);
    },

    async create(principal: Principal, place: Place, endpoint: NamedEndpoint): Promise<NamedEndpoint> {
      await change(principal, place, 'service.created', async (transaction, controller) => {
        const outcome = await repository.create(transaction, controller, endpoint, clock.now());
        if (outcome === 'taken') throw new FieldError('port', 'endpoint_port_taken');
        if (outcome === 'full') {
          throw new DomainError('services_limit_reached', { limit: limits.endpointsPerController });
        }
        return endpoint;
      });
      return endpoint;
    },

    async update(
      principal: Principal,
      place: Place,
      port: number,
      changes: Partial<Omit<NamedEndpoint, 'port'>>,
    ): Promise<NamedEndpoint> {
      const { endpoint } = await change(principal, place, 'service.updated', (transaction, controller) =>
        repository.update(transaction, controller, port, changes),
      );
      return endpoint;
    },

    /** What is open through it is cut. */
    async delete(principal: Principal, place: Place, port: number): Promise<void> {
      const { controller } = await change(principal, place, 'service.deleted', (transaction, locked) =>
        repository.delete(transaction, locked, port),
      );
      events.publish('accessEnded', { controllerId: controller.id });
    },
  };
}
export type EndpointsService = ReturnType<typeof createEndpointsService>;
