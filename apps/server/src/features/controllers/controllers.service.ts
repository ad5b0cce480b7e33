import {
  type ConnectionKind,
  type Controller,
  type ControllerOrdering,
  isAllowed,
  type OrderBy,
  type Permission,
  type Role,
} from '@pult/contract';
import { type Access, createScope } from '../../platform/access/index.ts';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import { toPage } from '../../platform/http/pages.ts';
import type { Actor, Principal } from '../../platform/http/principal.ts';
import { requireInScope } from '../../platform/http/token-scope.ts';
import type { ControllerFilters } from './controller-filters.repository.ts';
import type { ControllerChanges, ControllersRepository } from './controllers.repository.ts';

export interface ListQuery extends ControllerFilters {
  page?: number | undefined;
  page_size?: number | undefined;
  ordering?: readonly OrderBy<ControllerOrdering>[] | undefined;
}

/** What somebody is at a controller. */
interface ControllerStanding {
  organizationId: string;
  role: Role;
  /** Of the organization as a whole. */
  rootRole: Role | null;
  groupId: string | null;
  connectionKind: ConnectionKind;
}

interface Dependencies {
  db: Database;
  access: Access;
  repository: ControllersRepository;
  /** Throws `totp_setup_required` for a filter by an organization that wants a second factor. */
  requireEntryOf: (principal: Principal, organizationId: string | undefined) => Promise<void>;
  /** Makes every activation token of a device's enrolment so far worthless. */
  releaseEnrolment: (transaction: DatabaseTransaction, enrolmentId: string) => Promise<void>;
  events: Events;
  recordAudit: RecordAuditEvent;
}

/** Out of all groups is out of whatever part the right comes from: that takes more than a move within it. */
function requireLeave({ role, rootRole, organizationId }: ControllerStanding, serialNumber: string): void {
  if (rootRole !== null && isAllowed(rootRole, 'groups.attach')) return;
  if (isAllowed(role, 'groups.manage')) return;
  throw new RoleRefusal({ organizationId, subject: serialNumber });
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

export function createControllersService(dependencies: Dependencies) {
  const { db, access, repository, requireEntryOf, releaseEnrolment, events, recordAudit } = dependencies;

  /** Where a controller is and where it goes. Nobody raises their own role at it by a move to where they have a stronger one. */
  async function requireEnds(
    transaction: DatabaseTransaction,
    principal: Principal,
    { organizationId }: ControllerStanding,
    { serialNumber, group }: { serialNumber: string; group: string },
  ): Promise<void> {
    const attaching = createScope(principal, 'groups.attach');
    const managing = createScope(principal, 'groups.manage');
    const ends = await repository.lockGroup(transaction, { attaching, managing }, serialNumber, group);
    if (!ends) throw new FieldError('group', 'group_unknown');
    if (ends.isRaise) throw new RoleRefusal({ organizationId, subject: serialNumber });
  }

  const service = {
    async listControllers(principal: Principal, query: ListQuery) {
      const { page: number, page_size: size, ordering: orderBy = [], ...filters } = query;
      const page = toPage({ page: number, page_size: size });
      await requireEntryOf(principal, filters.organization_id);
      const scope = await repository.lookAtPart(createScope(principal, 'controllers.read'), filters);
      const counting = repository.countControllers(scope, filters);
      // In a part nothing but a walk over all of the organization would find that a page is behind the end.
      if (scope.part && page.offset > 0 && page.offset >= (await counting)) {
        return { page, count: await counting, results: [] };
      }
      const listing = repository.listControllers(scope, filters, { ...page, orderBy });
      const [results, count] = await Promise.all([listing, counting]);
      return { page, count, results };
    },

    async countControllers(principal: Principal, query: ListQuery) {
      const { page, page_size, ordering, ...filters } = query;
      await requireEntryOf(principal, filters.organization_id);
      return repository.countByStatus(createScope(principal, 'controllers.read'), filters);
    },

    /** Of the installation; for whoever has only parts of organizations those that they see. */
    async countAllControllers(principal: Principal): Promise<{ count: number }> {
      const scope = createScope(principal, 'controllers.read');
      if (!scope.hasGrants || (await repository.hasWholeOrganization(scope))) {
        return repository.countAllControllers();
      }
      return { count: await repository.countControllers(scope, {}) };
    },

    /** Throws `controller_not_found` for another organization's controller as for none. */
    async getController(principal: Principal, serialNumber: string): Promise<Controller> {
      const controller = await repository.getController(
        createScope(principal, 'controllers.read'),
        serialNumber,
      );
      if (controller) return controller;
      // Which of the refusals it is.
      await service.requirePermission(principal, serialNumber, 'controllers.read');
      throw new DomainError('controller_not_found', { serialNumber });
    },

    /** Throws `controller_not_found`; in one's own organization `totp_setup_required` or `role_forbidden`. */
    async requirePermission(
      actor: Actor,
      serialNumber: string,
      permission: Permission,
    ): Promise<ControllerStanding> {
      const place = { kind: 'controller', id: serialNumber } as const;
      const { organization, controller, role, rootRole } = await access.resolve(actor, permission, place);
      // Both are there where a controller was found that somebody may do something with.
      if (!controller || role === null) throw new DomainError('controller_not_found', { serialNumber });
      return { organizationId: organization.id, role, rootRole, ...controller };
    },

    async updateController(
      principal: Principal,
      serialNumber: string,
      changes: ControllerChanges,
      address: string,
    ): Promise<Controller> {
      // Who has what rights of it may hang on its group.
      if (changes.group !== undefined) requireInScope(principal, 'groups.attach');
      const standing = await service.requirePermission(principal, serialNumber, 'controllers.update');
      const isLeaving = changes.group === null && standing.groupId !== null;
      if (isLeaving) requireLeave(standing, serialNumber);
      const before = isLeaving ? await service.getController(principal, serialNumber) : undefined;
      const scope = createScope(principal, 'controllers.update');
      const updated = await db.transaction().execute(async (transaction) => {
        const { group } = changes;
        if (group) await requireEnds(transaction, principal, standing, { serialNumber, group });
        const result = await repository.updateController(transaction, scope, serialNumber, changes);
        if (!result) throw new DomainError('controller_not_found', { serialNumber });
        const { userId } = principal;
        const { organizationId } = result;
        const details = { changed: Object.keys(changes).join(', ') };
        await recordAudit(
          { action: 'controller.updated', userId, organizationId, subject: serialNumber, address, details },
          transaction,
        );
        return result;
      });
      const { organizationId } = updated;
      const event = { type: 'controller.updated', serialNumber } as const;
      const isMove = changes.group !== undefined && changes.group !== standing.groupId;
      events.publish('organization', { organizationId, event, ...(isMove ? { isMove } : {}) });
      const read = await repository.getController(createScope(principal, 'controllers.read'), serialNumber);
      if (read) return read;
      // Taken out of the caller's own part: they see it for the last time.
      if (before) return { ...before, ...withoutGroup(changes) };
      throw new DomainError('controller_not_found', { serialNumber });
    },

    /** Back to unclaimed: its data is gone, live tunnels are cut, the device shows a new activation link. */
    async deleteController(principal: Principal, serialNumber: string, address: string): Promise<void> {
      await service.requirePermission(principal, serialNumber, 'controllers.delete');
      const scope = createScope(principal, 'controllers.delete');
      const deleted = await db.transaction().execute(async (transaction) => {
        const result = await repository.deleteController(transaction, scope, serialNumber);
        if (!result) throw new DomainError('controller_not_found', { serialNumber });
        // Of one that is detached it was released before.
        if (result.enrolmentId) await releaseEnrolment(transaction, result.enrolmentId);
        const { userId } = principal;
        const { organizationId } = result;
        await recordAudit(
          { action: 'controller.deleted', userId, organizationId, subject: serialNumber, address },
          transaction,
        );
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
