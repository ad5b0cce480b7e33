import type { Permission } from '@pult/contract';
import type { AuditDetails, RecordAuditEvent } from '../../platform/audit.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import {
  createScope,
  type OrganizationAccess,
  regardlessOfLogin,
  type Scope,
} from '../organizations/index.ts';
import type { AttachmentRepository, Moved } from './attachment.repository.ts';
import type { GroupsRepository } from './groups.repository.ts';
import { type GroupsService, placeOf } from './groups.service.ts';
import { type Place, returnControllers } from './return-controllers.repository.ts';
import type { UndosRepository } from './undos.repository.ts';

/** Controllers by their serial numbers, or all that match: one of the two. */
export interface Selection {
  controllers?: readonly string[] | undefined;
  filter?: ControllerFilters | undefined;
}

interface Dependencies {
  repository: AttachmentRepository;
  undos: UndosRepository;
  groupsRepository: Pick<GroupsRepository, 'getGroup'>;
  groups: Pick<GroupsService, 'requireOrganizationId'>;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
}

/** What a move leaves for whoever undoes it. */
interface KeptMove {
  to: string | null;
  from: Place[];
  /** Of the group or the organization, as the audit log named it. */
  subject: string;
}

/** What the audit log keeps of a long list of serial numbers, in characters. */
const maxNamed = 1000;

/** Whoever lacks a second factor or a sign-in is told so by the organization's check, not that there is no such controller. */
function memberScope(principal: Principal): Scope {
  return regardlessOfLogin(createScope(principal, 'controllers.read'));
}

/** Puts controllers into groups and out of them: all that were chosen, or none. */
export function createAttachmentService(dependencies: Dependencies) {
  const { repository, undos, groupsRepository, groups, access, events, recordAudit } = dependencies;

  /** `permission` is that which is needed where the controllers are. */
  async function moveSelection(
    transaction: DatabaseTransaction,
    { principal, permission }: { principal: Principal; permission: Permission },
    organizationId: string,
    { controllers, filter }: Selection,
    groupId: string | null,
  ): Promise<Moved> {
    const scope = createScope(principal, permission);
    if (!controllers) {
      const filters = { ...filter, organization_id: organizationId };
      return repository.moveMatching(transaction, scope, filters, groupId);
    }
    const named = [...new Set(controllers)];
    const moved = await repository.moveNamed(transaction, scope, organizationId, named, groupId);
    // The transaction is undone with the error.
    if (moved.count < named.length) {
      throw await explainMissing(transaction, principal, organizationId, named);
    }
    return moved;
  }

  async function explainMissing(
    transaction: DatabaseTransaction,
    principal: Principal,
    organizationId: string,
    named: readonly string[],
  ): Promise<DomainError | FieldError> {
    const owners = await repository.listOrganizations(memberScope(principal), named, transaction);
    const unknown = named.find((serialNumber) => !owners.has(serialNumber));
    if (unknown !== undefined) return new DomainError('controller_not_found', { serialNumber: unknown });
    const elsewhere = named.find((serialNumber) => owners.get(serialNumber) !== organizationId);
    if (elsewhere !== undefined) return new FieldError('controllers', 'controllers_elsewhere');
    const subject = named[0] ?? '';
    // In a part of the tree where their role is too weak.
    if (principal.hasGrants) return new RoleRefusal({ organizationId, subject });
    // It came while we looked: the caller may try again.
    return new DomainError('controller_not_found', { serialNumber: subject });
  }

  /** Writes a move down for the log, and for whoever undoes it: by the id that it answers, null where nothing was moved. */
  async function record(
    transaction: DatabaseTransaction,
    event: {
      action: 'controllers.attached' | 'controllers.detached';
      userId: string;
      organizationId: string;
      subject: string;
      address: string;
    },
    { controllers, filter }: Selection,
    { to, from }: Pick<KeptMove, 'to' | 'from'>,
  ): Promise<string | null> {
    if (from.length === 0) return null;
    const meant: AuditDetails = controllers
      ? { controllers: [...new Set(controllers)].join(', ').slice(0, maxNamed) }
      : { filter: JSON.stringify(filter).slice(0, maxNamed) };
    await recordAudit({ ...event, details: { count: from.length, ...meant } }, transaction);
    const id = createId();
    const { organizationId, subject } = event;
    const content: KeptMove = { to, from, subject };
    await undos.keep(transaction, { id, organizationId, kind: 'move', content });
    return id;
  }

  function publish(organizationId: string, groupId: string | null): void {
    const event = { type: 'group.changed', change: 'controllers', groupId } as const;
    events.publish('organization', { organizationId, event });
  }

  /** The one organization of the named controllers. */
  async function findOrganization(principal: Principal, named: readonly string[]): Promise<string> {
    const owners = await repository.listOrganizations(memberScope(principal), named);
    const unknown = named.find((serialNumber) => !owners.has(serialNumber));
    if (unknown !== undefined) throw new DomainError('controller_not_found', { serialNumber: unknown });
    const [organizationId = '', ...others] = new Set(owners.values());
    if (others.length > 0) throw new FieldError('controllers', 'controllers_elsewhere');
    return organizationId;
  }

  return {
    async attach(principal: Principal, groupId: string, selection: Selection, address: string) {
      const organizationId = await groups.requireOrganizationId(principal, groupId);
      const filterOrganization = selection.filter?.organization_id ?? organizationId;
      const moved = await access.change(
        principal,
        organizationId,
        'groups.attach',
        async (transaction, _, rights) => {
          const group = await groupsRepository.getGroup(transaction, organizationId, groupId);
          if (!group) throw new DomainError('group_not_found');
          if (filterOrganization !== organizationId) throw new FieldError('filter', 'controllers_elsewhere');
          // Nobody raises their own role at controllers by moving them to where they have a stronger one.
          const isManaged = await rights.isAllowed('groups.manage', { groupId });
          const { count, from } = await moveSelection(
            transaction,
            { principal, permission: isManaged ? 'groups.manage' : 'groups.attach' },
            organizationId,
            selection,
            groupId,
          );
          const { userId } = principal;
          const event = { userId, organizationId, subject: group.name, address };
          const action = 'controllers.attached';
          return {
            count,
            moveId: await record(transaction, { action, ...event }, selection, { to: groupId, from }),
          };
        },
        { groupId },
      );
      if (moved.moveId !== null) publish(organizationId, groupId);
      return moved;
    },

    async detach(principal: Principal, selection: Selection, address: string) {
      const { controllers, filter } = selection;
      // The contract lets no filter pass without one.
      const organizationId = controllers
        ? await findOrganization(principal, controllers)
        : (filter?.organization_id ?? '');
      const moved = await access.change(
        principal,
        organizationId,
        'groups.attach',
        async (transaction, organization, rights) => {
          // Out of all groups is out of whatever part the right comes from.
          const isWhole = await rights.isAllowed('groups.attach', 'root');
          const { count, from } = await moveSelection(
            transaction,
            { principal, permission: isWhole ? 'groups.attach' : 'groups.manage' },
            organizationId,
            selection,
            null,
          );
          const { userId } = principal;
          const event = { userId, organizationId, subject: organization.name, address };
          const action = 'controllers.detached';
          return {
            count,
            moveId: await record(transaction, { action, ...event }, selection, { to: null, from }),
          };
        },
        'anywhere',
      );
      if (moved.moveId !== null) publish(organizationId, null);
      return moved;
    },

    /** What others have moved on meanwhile stays where it is, as does what came from a group that is gone. */
    async undo(principal: Principal, moveId: string, address: string): Promise<{ count: number }> {
      const organizationId = await undos.getOrganizationId(
        createScope(principal, 'groups.read'),
        moveId,
        'move',
      );
      if (!organizationId) throw new DomainError('move_not_found');
      const { to, count } = await access.change(
        principal,
        organizationId,
        'groups.attach',
        async (transaction, _, rights) => {
          const content = await undos.take(transaction, organizationId, { id: moveId, kind: 'move' });
          if (!content) throw new DomainError('move_not_found');
          const move = content as KeptMove; // Only `keep` writes them.
          if (!(await rights.isAllowed('groups.attach', 'root'))) {
            const places = new Set([move.to, ...move.from.map(([, groupId]) => groupId)]);
            for (const place of places) await rights.require('groups.attach', placeOf(place));
          }
          const returned = await returnControllers(transaction, organizationId, move);
          const { userId } = principal;
          const event = { userId, organizationId, subject: move.subject, address };
          const details = { count: returned };
          await recordAudit({ ...event, action: 'controllers.returned', details }, transaction);
          return { to: move.to, count: returned };
        },
        'anywhere',
      );
      if (count > 0) publish(organizationId, to);
      return { count };
    },
  };
}
export type AttachmentService = ReturnType<typeof createAttachmentService>;
