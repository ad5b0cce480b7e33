import { type AuditAction, limits, type NamedEndpoint } from '@pult/contract';
import type { ControllerCaller, Scope } from '../../../platform/access/index.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { Core } from '../../../platform/feature.ts';
import type { PortRights } from '../port-rights.ts';
import type {
  EndpointSettings,
  EndpointsRepository,
  LockedController,
  StoredEndpoint,
} from './endpoints.repository.ts';

type Work = (
  transaction: DatabaseTransaction,
  controller: LockedController,
) => Promise<StoredEndpoint | undefined>;

/** The names that people give to web servers on further ports of a controller. Who may edit it names them, but for reserved ports. */
export function createEndpointsService(
  { db, events, clock }: Core,
  { repository, ports }: { repository: EndpointsRepository; ports: PortRights },
) {
  function describe(
    endpoint: StoredEndpoint,
    { connectionKind }: Pick<LockedController, 'connectionKind'>,
  ): NamedEndpoint {
    const isReserved = ports.takesForward({ protocol: 'http', port: endpoint.port }, connectionKind);
    return { ...endpoint, isReserved };
  }

  /** Throws `port_reserved` where the port is for those with `tunnels.forward` alone; where the caller may name it. */
  const requireNaming = (caller: ControllerCaller, port: number): Scope =>
    ports.require(caller, { protocol: 'http', port });

  /** Changes the endpoints of one controller, one change at a time; what it returns is written down. */
  async function change(
    caller: ControllerCaller,
    action: AuditAction,
    scope: Scope,
    work: Work,
  ): Promise<{ endpoint: NamedEndpoint; controller: LockedController }> {
    const { serialNumber } = caller.controller;
    const changed = await db.transaction().execute(async (transaction) => {
      const controller = await repository.lockController(transaction, scope, serialNumber);
      if (!controller) throw new DomainError('controller_not_found', { serialNumber });
      const endpoint = await work(transaction, controller);
      if (!endpoint) throw new DomainError('service_not_found');
      const { organizationId } = controller;
      const details = { service: endpoint.name, port: endpoint.port };
      await caller.audit(action, { organizationId, details }, transaction);
      return { endpoint: describe(endpoint, controller), controller };
    });
    const { organizationId } = changed.controller;
    events.publish('organization', { organizationId, event: { type: 'controller.updated', serialNumber } });
    return changed;
  }

  return {
    async list({ scope, controller }: ControllerCaller): Promise<NamedEndpoint[]> {
      const rows = await repository.list(scope, controller.serialNumber);
      return rows.map((row) => describe(row, controller));
    },

    async create(caller: ControllerCaller, endpoint: EndpointSettings): Promise<NamedEndpoint> {
      const scope = requireNaming(caller, endpoint.port);
      const work: Work = async (transaction, controller) => {
        const outcome = await repository.create(transaction, controller, endpoint, clock.now());
        if (outcome === 'taken') throw new FieldError('port', 'endpoint_port_taken');
        if (outcome === 'full') {
          throw new DomainError('services_limit_reached', { limit: limits.endpointsPerController });
        }
        return { ...endpoint, oldTls: null };
      };
      return (await change(caller, 'service.created', scope, work)).endpoint;
    },

    async update(
      caller: ControllerCaller,
      port: number,
      changes: Partial<Omit<EndpointSettings, 'port'>>,
    ): Promise<NamedEndpoint> {
      const scope = requireNaming(caller, port);
      const work: Work = (transaction, controller) =>
        repository.update(transaction, controller, port, changes);
      return (await change(caller, 'service.updated', scope, work)).endpoint;
    },

    /** What is open through it is cut. It closes a way in, and so is for those who may edit the controller on every port. */
    async delete(caller: ControllerCaller, port: number): Promise<void> {
      const work: Work = (transaction, locked) => repository.delete(transaction, locked, port);
      const { controller } = await change(caller, 'service.deleted', caller.scope, work);
      events.publish('accessEnded', { controllerId: controller.id });
    },
  };
}
export type EndpointsService = ReturnType<typeof createEndpointsService>;
