import {
  type AskingCaller,
  type Caller,
  type GroupCaller,
  type OrganizationCaller,
  regardlessOfLogin,
  type Scope,
} from '../../platform/access/index.ts';
import type { AuditDetails } from '../../platform/audit.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import type { AttachmentRepository, Moved } from './attachment.repository.ts';
import type { GroupsRepository } from './groups.repository.ts';
import { placeOf } from './groups.service.ts';
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
function memberScope({ scopeFor }: Caller): Scope {
  return regardlessOfLogin(scopeFor('controllers.read'));
}

/** Puts controllers into groups and out of them: all that were chosen, or none. */
export function createAttachmentService(
  { events }: Core,
  { repository, undos, groupsRepository }: Dependencies,
) {
  /** `scope` is where the controllers have to be. */
  async function moveSelection(
    transaction: DatabaseTransaction,
    { caller, scope }: { caller: Caller; scope: Scope },
    organizationId: string,
    { controllers, filter }: Selection,
    groupId: string | null,
  ): Promise<Moved> {
    if (!controllers) {
      const filters = { ...filter, organization_id: organizationId };
      return repository.moveMatching(transaction, scope, filters, groupId);
    }
    const named = [...new Set(controllers)];
    const moved = await repository.moveNamed(transaction, scope, organizationId, named, groupId);
    // The transaction is undone with the error.
    if (moved.count < named.length) {
      throw await explainMissing(transaction, caller, organizationId, named);
    }
    return moved;
  }

  async function explainMissing(
    transaction: DatabaseTransaction,
    caller: Caller,
    organizationId: string,
    named: readonly string[],
  ): Promise<DomainError | FieldError> {
    const owners = await repository.listOrganizations(memberScope(caller), named, transaction);
    const unknown = named.find((serialNumber) => !owners.has(serialNumber));
    if (unknown !== undefined) return new DomainError('controller_not_found', { serialNumber: unknown });
    const elsewhere = named.find((serialNumber) => owners.get(serialNumber) !== organizationId);
    if (elsewhere !== undefined) return new FieldError('controllers', 'controllers_elsewhere');
    const subject = named[0] ?? '';
    // In a part of the tree where their role is too weak.
    if (caller.principal.hasGrants) return new RoleRefusal({ organizationId, subject });
    // It came while we looked: the caller may try again.
    return new DomainError('controller_not_found', { serialNumber: subject });
  }

  /** Writes a move down for the log, and for whoever undoes it: by the id that it answers, null where nothing was moved. */
  async function record(
    transaction: DatabaseTransaction,
    caller: Caller,
    event: {
      action: 'controllers.attached' | 'controllers.detached';
      organizationId: string;
      subject: string;
    },
    { controllers, filter }: Selection,
    { to, from }: Pick<KeptMove, 'to' | 'from'>,
  ): Promise<string | null> {
    if (from.length === 0) return null;
    const meant: AuditDetails = controllers
      ? { controllers: [...new Set(controllers)].join(', ').slice(0, maxNamed) }
      : { filter: JSON.stringify(filter).slice(0, maxNamed) };
    const { action, organizationId, subject } = event;
    const details = { count: from.length, ...meant };
    await caller.audit(action, { organizationId, subject, details }, transaction);
    const id = createId();
    const content: KeptMove = { to, from, subject };
    await undos.keep(transaction, { id, organizationId, kind: 'move', content });
    return id;
  }

  function publish(organizationId: string, groupId: string | null): void {
    const event = { type: 'group.changed', change: 'controllers', groupId } as const;
    events.publish('organization', { organizationId, event });
  }

  /** The one organization of the named controllers. */
  async function findOrganization(caller: Caller, named: readonly string[]): Promise<string> {
    const owners = await repository.listOrganizations(memberScope(caller), named);
    const unknown = named.find((serialNumber) => !owners.has(serialNumber));
    if (unknown !== undefined) throw new DomainError('controller_not_found', { serialNumber: unknown });
    const [organizationId = '', ...others] = new Set(owners.values());
    if (others.length > 0) throw new FieldError('controllers', 'controllers_elsewhere');
    return organizationId;
  }

  return {
    async attach(caller: GroupCaller, selection: Selection) {
      const { id: groupId } = caller.group;
      const { id: organizationId } = caller.organization;
      const filterOrganization = selection.filter?.organization_id ?? organizationId;
      const moved = await caller.change(async (transaction, _, rights) => {
        const group = await groupsRepository.getGroup(transaction, organizationId, groupId);
        if (!group) throw new DomainError('group_not_found');
        if (filterOrganization !== organizationId) throw new FieldError('filter', 'controllers_elsewhere');
        // Nobody raises their own role at controllers by moving them to where they have a stronger one.
        const isManaged = await rights.isAllowed('groups.manage', { groupId });
        const { count, from } = await moveSelection(
          transaction,
          { caller, scope: caller.scopeFor(isManaged ? 'groups.manage' : 'groups.attach') },
          organizationId,
          selection,
          groupId,
        );
        const event = { action: 'controllers.attached', organizationId, subject: group.name } as const;
        const move = { to: groupId, from };
        return { count, moveId: await record(transaction, caller, event, selection, move) };
      });
      if (moved.moveId !== null) publish(organizationId, groupId);
      return moved;
    },

    async detach(caller: AskingCaller, selection: Selection) {
      const { controllers, filter } = selection;
      // The contract lets no filter pass without one.
      const organizationId = controllers
        ? await findOrganization(caller, controllers)
        : (filter?.organization_id ?? '');
      const moved = await caller.changeAt(
        { id: organizationId, at: 'anywhere' },
        async (transaction, organization, rights) => {
          // Out of all groups is out of whatever part the right comes from.
          const isWhole = await rights.isAllowed('groups.attach', 'root');
          const { count, from } = await moveSelection(
            transaction,
            { caller, scope: caller.scopeFor(isWhole ? 'groups.attach' : 'groups.manage') },
            organizationId,
            selection,
            null,
          );
          const { name: subject } = organization;
          const event = { action: 'controllers.detached', organizationId, subject } as const;
          const move = { to: null, from };
          const moveId = await record(transaction, caller, event, selection, move);
          return caller.decide(rights.by, { count, moveId });
        },
      );
      if (moved.answer.moveId !== null) publish(organizationId, null);
      return moved;
    },

    /** What others have moved on meanwhile stays where it is, as does what came from a group that is gone. */
    async undo(caller: OrganizationCaller, moveId: string): Promise<{ count: number }> {
      const { id: organizationId } = caller.organization;
      const { to, count } = await caller.change(async (transaction, _, rights) => {
        const content = await undos.take(transaction, organizationId, { id: moveId, kind: 'move' });
        if (!content) throw new DomainError('move_not_found');
        const move = content as KeptMove; // Only `keep` writes them.
        if (!(await rights.isAllowed('groups.attach', 'root'))) {
          const places = new Set([move.to, ...move.from.map(([, groupId]) => groupId)]);
          for (const place of places) await rights.require('groups.attach', placeOf(place));
        }
        const returned = await returnControllers(transaction, organizationId, move);
        const said = { subject: move.subject, details: { count: returned } };
        await caller.audit('controllers.returned', said, transaction);
        return { to: move.to, count: returned };
      });
      if (count > 0) publish(organizationId, to);
      return { count };
    },
  };
}
export type AttachmentService = ReturnType<typeof createAttachmentService>;
