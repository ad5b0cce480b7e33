import { type AuditAction, limits, type NamedEndpoint, type Permission } from '@pult/contract';
import type { RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { ControllersService } from '../../controllers/index.ts';
import { createScope } from '../../organizations/index.ts';
import type { PortRights } from '../port-rights.ts';
import type {
  EndpointSettings,
  EndpointsRepository,
  LockedController,
  StoredEndpoint,
} from './endpoints.repository.ts';

interface Dependencies {
  db: Database;
  repository: EndpointsRepository;
  controllers: Pick<ControllersService, 'requirePermission'>;
  ports: PortRights;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

interface Place {
  port: number;
  serialNumber: string;
  /** Of the client. */
  address: string;
}

type Work = (
  transaction: DatabaseTransaction,
  controller: LockedController,
) => Promise<StoredEndpoint | undefined>;

/** The names that people give to web servers on further ports of a controller. Who may edit it names them, but for reserved ports. */
export function createEndpointsService(dependencies: Dependencies) {
  const { db, repository, controllers, ports, events, recordAudit, clock } = dependencies;

  function describe(
    endpoint: StoredEndpoint,
    { connectionKind }: Pick<LockedController, 'connectionKind'>,
  ): NamedEndpoint {
    const isReserved = ports.takesForward({ protocol: 'http', port: endpoint.port }, connectionKind);
    return { ...endpoint, isReserved };
  }

  /** Throws `port_reserved` where the port is for those with `tunnels.forward` alone. */
  const requireNaming = (principal: Principal, { serialNumber, port }: Place) =>
    ports.require(principal, serialNumber, 'controllers.update', { protocol: 'http', port });

  /** Changes the endpoints of one controller, one change at a time; what it returns is written down. */
  async function change(
    principal: Principal,
    { serialNumber, address }: Place,
    action: AuditAction,
    permission: Permission,
    work: Work,
  ): Promise<{ endpoint: NamedEndpoint; controller: LockedController }> {
    const scope = createScope(principal, permission);
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
      return { endpoint: describe(endpoint, controller), controller };
    });
    const { organizationId } = changed.controller;
    events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    return changed;
  }

  return {
    async list(principal: Principal, serialNumber: string): Promise<NamedEndpoint[]> {
      const standing = await controllers.requirePermission(principal, serialNumber, 'controllers.read');
      const rows = await repository.list(createScope(principal, 'controllers.read'), serialNumber);
      return rows.map((row) => describe(row, standing));
    },

    async create(
      principal: Principal,
      place: Omit<Place, 'port'>,
      endpoint: EndpointSettings,
    ): Promise<NamedEndpoint> {
      const { port } = endpoint;
      const permission = await requireNaming(principal, { ...place, port });
      const work: Work = async (transaction, controller) => {
        const outcome = await repository.create(transaction, controller, endpoint, clock.now());
        if (outcome === 'taken') throw new FieldError('port', 'endpoint_port_taken');
        if (outcome === 'full') {
          throw new DomainError('services_limit_reached', { limit: limits.endpointsPerController });
        }
        return { ...endpoint, oldTls: null };
      };
      const created = await change(principal, { ...place, port }, 'service.created', permission, work);
      return created.endpoint;
    },

    async update(
      principal: Principal,
      place: Place,
      changes: Partial<Omit<EndpointSettings, 'port'>>,
    ): Promise<NamedEndpoint> {
      const permission = await requireNaming(principal, place);
      const work: Work = (transaction, controller) =>
        repository.update(transaction, controller, place.port, changes);
      const { endpoint } = await change(principal, place, 'service.updated', permission, work);
      return endpoint;
    },

    /** What is open through it is cut. It closes a way in, and so is for those who may edit the controller on every port. */
    async delete(principal: Principal, place: Place): Promise<void> {
      await controllers.requirePermission(principal, place.serialNumber, 'controllers.update');
      const work: Work = (transaction, locked) => repository.delete(transaction, locked, place.port);
      const { controller } = await change(principal, place, 'service.deleted', 'controllers.update', work);
      events.publish('accessEnded', { controllerId: controller.id });
    },
  };
}
export type EndpointsService = ReturnType<typeof createEndpointsService>;
