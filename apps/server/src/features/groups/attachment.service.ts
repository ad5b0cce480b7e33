import { lifetimes } from '@pult/contract';
import type { AuditDetails, RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllerFilters } from '../controllers/index.ts';
import { createScope, type OrganizationAccess, type Scope } from '../organizations/index.ts';
import type { AttachmentRepository, Moved, Place } from './attachment.repository.ts';
import type { GroupsRepository } from './groups.repository.ts';
import type { GroupsService } from './groups.service.ts';
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
  clock: Clock;
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

/** Whoever lacks a second factor is told so by the organization's check, not that there is no such controller. */
function memberScope(principal: Principal): Scope {
  return { ...createScope(principal, 'controllers.read'), withTotpOrganizations: true };
}

/** Puts controllers into groups and out of them: all that were chosen, or none. */
export function createAttachmentService(dependencies: Dependencies) {
  const { repository, undos, groupsRepository, groups, access, events, recordAudit, clock } = dependencies;

  async function moveSelection(
    transaction: DatabaseTransaction,
    principal: Principal,
    organizationId: string,
    { controllers, filter }: Selection,
    groupId: string | null,
  ): Promise<Moved> {
    if (!controllers) {
      const filters = { ...filter, organization_id: organizationId };
      return repository.moveMatching(transaction, createScope(principal, 'groups.attach'), filters, groupId);
    }
    const named = [...new Set(controllers)];
    const moved = await repository.moveNamed(transaction, organizationId, named, groupId);
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
    // It came while we looked: the caller may try again.
    return new DomainError('controller_not_found', { serialNumber: named[0] ?? '' });
  }

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
    moved: Moved,
  ): Promise<void> {
    if (moved.from.length === 0) return;
    const meant: AuditDetails = controllers
      ? { controllers: [...new Set(controllers)].join(', ').slice(0, maxNamed) }
      : { filter: JSON.stringify(filter).slice(0, maxNamed) };
    await recordAudit({ ...event, details: { count: moved.from.length, ...meant } }, transaction);
  }

  /** The id by which it can be undone; null where nothing was moved. */
  async function keep(
    transaction: DatabaseTransaction,
    organizationId: string,
    content: KeptMove,
  ): Promise<string | null> {
    if (content.from.length === 0) return null;
    const id = createId();
    await undos.keep(transaction, { id, organizationId, kind: 'move', content, at: clock.now() });
    return id;
  }

  function publish(organizationId: string, groupId: string | null, moved: number): void {
    if (moved === 0) return;
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
      const moved = await access.change(principal, organizationId, 'groups.attach', async (transaction) => {
        const group = await groupsRepository.getGroup(transaction, organizationId, groupId);
        if (!group) throw new DomainError('group_not_found');
        if (filterOrganization !== organizationId) throw new FieldError('filter', 'controllers_elsewhere');
        const result = await moveSelection(transaction, principal, organizationId, selection, groupId);
        const { userId } = principal;
        const event = { userId, organizationId, subject: group.name, address };
        await record(transaction, { action: 'controllers.attached', ...event }, selection, result);
        const kept = { to: groupId, from: result.from, subject: group.name };
        return { ...result, moveId: await keep(transaction, organizationId, kept) };
      });
      publish(organizationId, groupId, moved.from.length);
      return { count: moved.count, moveId: moved.moveId };
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
        async (transaction, organization) => {
          const result = await moveSelection(transaction, principal, organizationId, selection, null);
          const { userId } = principal;
          const event = { userId, organizationId, subject: organization.name, address };
          await record(transaction, { action: 'controllers.detached', ...event }, selection, result);
          const kept = { to: null, from: result.from, subject: organization.name };
          return { ...result, moveId: await keep(transaction, organizationId, kept) };
        },
      );
      publish(organizationId, null, moved.from.length);
      return { count: moved.count, moveId: moved.moveId };
    },

    /** What others have moved on meanwhile stays where it is, as does what came from a group that is gone. */
    async undo(principal: Principal, moveId: string, address: string): Promise<{ count: number }> {
      const organizationId = await undos.getOrganizationId(principal.userId, moveId, 'move');
      if (!organizationId) throw new DomainError('move_not_found');
      const { to, count } = await access.change(
        principal,
        organizationId,
        'groups.attach',
        async (transaction) => {
          const since = new Date(clock.now().getTime() - lifetimes.groupUndo * 1000);
          const content = await undos.take(transaction, organizationId, { id: moveId, kind: 'move', since });
          if (!content) throw new DomainError('move_not_found');
          const move = content as KeptMove; // Only `keep` writes them.
          const returned = await repository.moveBack(transaction, organizationId, move);
          const { userId } = principal;
          const event = {
            userId,
            organizationId,
            subject: move.subject,
            address,
            details: { count: returned },
          };
          await recordAudit({ ...event, action: 'controllers.returned' }, transaction);
          return { to: move.to, count: returned };
        },
      );
      publish(organizationId, to, count);
      return { count };
    },
  };
}
export type AttachmentService = ReturnType<typeof createAttachmentService>;
