import { type Controller, type ControllerOrdering, isAllowed, type OrderBy } from '@pult/contract';
import type { Caller, ControllerCaller, Scope, ScopedCaller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import { toPage } from '../../platform/http/pages.ts';
import type { ControllerFilters } from './controller-filters.repository.ts';
import type { ControllerChanges, ControllersRepository } from './controllers.repository.ts';

export interface ListQuery extends ControllerFilters {
  page?: number | undefined;
  page_size?: number | undefined;
  ordering?: readonly OrderBy<ControllerOrdering>[] | undefined;
}

interface Dependencies {
  repository: ControllersRepository;
  /** Makes every activation token of a device's enrolment so far worthless. */
  releaseEnrolment: (transaction: DatabaseTransaction, enrolmentId: string) => Promise<void>;
}

/** Out of all groups is out of whatever part the right comes from: that takes more than a move within it. */
function requireMayUngroup({ role, rootRole, organization, controller }: ControllerCaller): void {
  if (rootRole !== null && isAllowed(rootRole, 'groups.attach')) return;
  if (role !== null && isAllowed(role, 'groups.manage')) return;
  throw new RoleRefusal({ organizationId: organization.id, subject: controller.serialNumber });
}

/** As the changed controller is told, out of all groups. */
function withoutGroup({ description, latitude, longitude }: ControllerChanges) {
  return {
    ...(description === undefined ? {} : { description }),
    ...(latitude === undefined ? {} : { latitude }),
    ...(longitude === undefined ? {} : { longitude }),
    group: null,
  };
}

export function createControllersService(
  { db, events }: Pick<Core, 'db' | 'events'>,
  { repository, releaseEnrolment }: Dependencies,
) {
  /** Where a controller is and where it goes. Nobody raises their own role at it by a move to where they have a stronger one. */
  async function requireMoveAllowed(
    transaction: DatabaseTransaction,
    { scopeFor, organization, controller: { serialNumber } }: ControllerCaller,
    group: string,
  ): Promise<void> {
    const attaching = scopeFor('groups.attach');
    const managing = scopeFor('groups.manage');
    const ends = await repository.lockGroup(transaction, { attaching, managing }, serialNumber, group);
    if (!ends) throw new FieldError('group', 'group_unknown');
    if (ends.isRaise) throw new RoleRefusal({ organizationId: organization.id, subject: serialNumber });
  }

  const service = {
    async listControllers({ scope }: ScopedCaller, query: ListQuery) {
      const { page: number, page_size: size, ordering: orderBy = [], ...asked } = query;
      const page = toPage({ page: number, page_size: size });
      const filters = await repository.withOnlyOrganization(scope, asked);
      const counting = repository.countControllers(scope, filters);
      // In a part nothing but a walk over all of the organization would find that a page is behind the end.
      if (scope.hasGrants && page.offset > 0 && page.offset >= (await counting)) {
        return { page, count: await counting, results: [] };
      }
      const listing = repository.listControllers(scope, filters, { ...page, orderBy });
      const [results, count] = await Promise.all([listing, counting]);
      return { page, count, results };
    },

    async countControllers({ scope }: ScopedCaller, query: ListQuery) {
      const { page, page_size, ordering, ...filters } = query;
      return repository.countByStatus(scope, filters);
    },

    /** Of the installation; for whoever has only parts of organizations those that they see. */
    async countAllControllers({ scopeFor }: Caller): Promise<{ count: number }> {
      const scope = scopeFor('controllers.read');
      if (!scope.hasGrants || (await repository.hasWholeOrganization(scope))) {
        return repository.countAllControllers();
      }
      return { count: await repository.countControllers(scope, {}) };
    },

    /** Throws `controller_not_found` for another organization's controller as for none. */
    async getController(scope: Scope, serialNumber: string): Promise<Controller> {
      const controller = await repository.getController(scope, serialNumber);
      if (!controller) throw new DomainError('controller_not_found', { serialNumber });
      return controller;
    },

    async updateController(caller: ControllerCaller, changes: ControllerChanges): Promise<Controller> {
      const { serialNumber, groupId } = caller.controller;
      const reading = caller.scopeFor('controllers.read');
      const isLeaving = changes.group === null && groupId !== null;
      if (isLeaving) requireMayUngroup(caller);
      const before = isLeaving ? await service.getController(reading, serialNumber) : undefined;
      const updated = await db.transaction().execute(async (transaction) => {
        const { group } = changes;
        if (group) await requireMoveAllowed(transaction, caller, group);
        const result = await repository.updateController(transaction, caller.scope, serialNumber, changes);
        if (!result) throw new DomainError('controller_not_found', { serialNumber });
        const { organizationId } = result;
        const details = { changed: Object.keys(changes).join(', ') };
        await caller.audit('controller.updated', { organizationId, details }, transaction);
        return result;
      });
      const { organizationId } = updated;
      const event = { type: 'controller.updated', serialNumber } as const;
      const isMove = changes.group !== undefined && changes.group !== groupId;
      events.publish('organization', { organizationId, event, ...(isMove ? { isMove } : {}) });
      const read = await repository.getController(reading, serialNumber);
      if (read) return read;
      // Taken out of the caller's own part: they see it for the last time.
      if (before) return { ...before, ...withoutGroup(changes) };
      throw new DomainError('controller_not_found', { serialNumber });
    },

    /** Back to unclaimed: its data is gone, live tunnels are cut, the device shows a new activation link. */
    async deleteController(caller: ControllerCaller): Promise<void> {
      const { serialNumber } = caller.controller;
      const deleted = await db.transaction().execute(async (transaction) => {
        const result = await repository.deleteController(transaction, caller.scope, serialNumber);
        if (!result) throw new DomainError('controller_not_found', { serialNumber });
        // Of one that is detached it was released before.
        if (result.enrolmentId) await releaseEnrolment(transaction, result.enrolmentId);
        await caller.audit('controller.deleted', { organizationId: result.organizationId }, transaction);
        return result;
      });
      const { id: controllerId, organizationId, enrolmentId } = deleted;
      events.publish('accessEnded', { controllerId });
      if (enrolmentId) events.publish('enrolmentChanged', { enrolmentId });
      events.publish('organization', { organizationId, event: { type: 'controller.deleted', serialNumber } });
    },
  };
  return service;
}
export type ControllersService = ReturnType<typeof createControllersService>;
