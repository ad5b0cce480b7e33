import { type Grant, type GrantPlace, type GrantRole, mayManageRole } from '@pult/contract';
import type { OrganizationCaller } from '../../platform/access/index.ts';
import type { AuditDetails } from '../../platform/audit.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import type { StoredPlace } from './grant-places.repository.ts';
import type { GrantFilters, GrantSubject, GrantsRepository } from './grants.repository.ts';
import { putGrant } from './put-grant.ts';
import { toRolePlace } from './role-place.ts';

interface GrantRequest {
  subject: GrantSubject;
  scope: GrantPlace;
  role: GrantRole;
  until?: string | null | undefined;
}

function describe({ scope, role, until }: Grant): AuditDetails {
  return { role, place: scope.name, ...(until === null ? {} : { expiresAt: until }) };
}

/** Rights on parts of an organization: who gives them, and who ends them. */
export function createGrantsService(
  { events, clock }: Core,
  { repository }: { repository: GrantsRepository },
) {
  function readEnd(until: string | null | undefined): Date | null {
    if (!until) return null;
    const end = new Date(until);
    if (end <= clock.now()) throw new FieldError('until', 'grant_end');
    return end;
  }

  /** Whoever has a part only learns of no place outside it, not even that there is one. */
  async function requirePlace(caller: OrganizationCaller, scope: GrantPlace): Promise<StoredPlace> {
    const { id } = caller.organization;
    const place = await repository.findPlace(id, scope);
    if (place) return place;
    await caller.require('grants.manage', { kind: 'organization', id, at: 'root' });
    throw new FieldError('scope', 'place_unknown');
  }

  /**
   * Who reaches a place is asked of one that there is: whoever has rights on the whole organization would otherwise be
   * listed for a mistyped serial number.
   */
  async function requireShown(
    { scopeFor, organization }: OrganizationCaller,
    { controller, group }: GrantFilters,
  ): Promise<void> {
    if (controller !== undefined) {
      const scope = scopeFor('controllers.read');
      if (!(await repository.showsController(scope, organization.id, controller))) {
        throw new DomainError('controller_not_found', { serialNumber: controller });
      }
    }
    if (group !== undefined) {
      const scope = scopeFor('groups.read');
      if (!(await repository.showsGroup(scope, organization.id, group))) {
        throw new DomainError('group_not_found');
      }
    }
  }

  async function requireSubject(
    transaction: DatabaseTransaction,
    { userId, scope, organization }: OrganizationCaller,
    subject: GrantSubject,
  ): Promise<void> {
    if (subject.id === userId) throw new DomainError('own_grant');
    if (!(await repository.isKnown(transaction, scope, organization.id, subject))) {
      throw new FieldError('subject', 'subject_unknown');
    }
  }

  function publishAccessEnded({ id: userId }: GrantSubject, organizationId: string): void {
    events.publish('accessEnded', { userId, organizationId });
  }

  return {
    async list(caller: OrganizationCaller, filters: GrantFilters): Promise<Grant[]> {
      await requireShown(caller, filters);
      const { scope, organization } = caller;
      const [roles, grants] = await Promise.all([
        repository.listRoles(scope, organization.id, filters),
        repository.list(scope, organization.id, filters),
      ]);
      return [...roles, ...grants];
    },

    /** In place of what the subject has at this place, which has to be the caller's to end. */
    async create(caller: OrganizationCaller, request: GrantRequest): Promise<Grant> {
      const { subject, role } = request;
      const { scope } = caller;
      const { id: organizationId } = caller.organization;
      const place = await requirePlace(caller, request.scope);
      const at = toRolePlace(place);
      const created = await caller.changeAt(
        { id: organizationId, at },
        async (transaction, organization, rights) => {
          const until = readEnd(request.until);
          await requireSubject(transaction, caller, subject);
          if (!(await repository.holdPlace(transaction, organizationId, place))) {
            throw new FieldError('scope', 'place_unknown');
          }
          const own = await rights.getRole(at);
          const earlier = await repository.findRoleAt(transaction, organizationId, subject, place);
          for (const managed of [role, earlier ?? role]) {
            if (own === null || !mayManageRole(own, managed)) {
              throw new RoleRefusal({ organizationId, subject: organization.name });
            }
          }
          const id = createId();
          const { userId: grantedBy } = caller;
          const createdAt = clock.now();
          const given = { id, organizationId, subject, ...place, role, until, grantedBy, createdAt };
          await putGrant(repository, transaction, given);
          const grant = await repository.get(transaction, scope, organizationId, id);
          if (!grant) throw new FieldError('until', 'grant_end'); // by the clock of the database it is over
          const said = { subject: grant.subject.name, details: describe(grant) };
          await caller.audit('grant.created', said, transaction);
          return grant;
        },
      );
      publishAccessEnded(subject, organizationId);
      return created;
    },

    async delete(caller: OrganizationCaller, id: string): Promise<void> {
      const { scope } = caller;
      const { id: organizationId } = caller.organization;
      const place = await repository.getPlace(scope, organizationId, id);
      if (!place) throw new DomainError('grant_not_found', 'unknown');
      const at = toRolePlace(place);
      const subject = await caller.changeAt(
        { id: organizationId, at },
        async (transaction, organization, rights) => {
          const grant = await repository.get(transaction, scope, organizationId, id);
          if (!grant) throw new DomainError('grant_not_found', 'ended_meanwhile');
          if (grant.isByProvider) throw new DomainError('grant_by_provider');
          const own = await rights.getRole(at);
          if (own === null || !mayManageRole(own, grant.role)) {
            throw new RoleRefusal({ organizationId, subject: organization.name });
          }
          await repository.delete(transaction, organizationId, id);
          const said = { subject: grant.subject.name, details: describe(grant) };
          await caller.audit('grant.deleted', said, transaction);
          return grant.subject;
        },
      );
      publishAccessEnded(subject, organizationId);
    },

    /** Run by a job every hour. */
    deleteEnded: () => repository.deleteEnded(),
  };
}
export type GrantsService = ReturnType<typeof createGrantsService>;
