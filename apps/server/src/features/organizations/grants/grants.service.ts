import { type Grant, type GrantPlace, type GrantRole, mayManageRole } from '@pult/contract';
import { createScope } from '../../../platform/access/index.ts';
import type { AuditDetails, RecordAuditEvent } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../../platform/errors.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { createId } from '../../../platform/ids.ts';
import type { OrganizationAccess } from '../organization-access.ts';
import type { StoredPlace } from './grant-places.repository.ts';
import type { GrantFilters, GrantSubject, GrantsRepository } from './grants.repository.ts';
import { putGrant } from './put-grant.ts';
import { toRolePlace } from './role-place.ts';

interface Dependencies {
  repository: GrantsRepository;
  access: OrganizationAccess;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
}

interface GrantRequest {
  subject: GrantSubject;
  scope: GrantPlace;
  role: GrantRole;
  until?: string | null | undefined;
}

const permission = 'grants.manage';

function describe({ scope, role, until }: Grant): AuditDetails {
  return { role, place: scope.name, ...(until === null ? {} : { expiresAt: until }) };
}

/** Rights on parts of an organization: who gives them, and who ends them. */
export function createGrantsService({ repository, access, events, recordAudit, clock }: Dependencies) {
  function readEnd(until: string | null | undefined): Date | null {
    if (!until) return null;
    const end = new Date(until);
    if (end <= clock.now()) throw new FieldError('until', 'grant_end');
    return end;
  }

  /** Whoever has a part only learns of no place outside it, not even that there is one. */
  async function requirePlace(
    principal: Principal,
    organizationId: string,
    scope: GrantPlace,
  ): Promise<StoredPlace> {
    await access.require(principal, organizationId, permission, 'anywhere');
    const place = await repository.findPlace(organizationId, scope);
    if (place) return place;
    await access.require(principal, organizationId, permission);
    throw new FieldError('scope', 'place_unknown');
  }

  /**
   * Who reaches a place is asked of one that there is: whoever has rights on the whole organization would otherwise be
   * listed for a mistyped serial number.
   */
  async function requireShown(
    principal: Principal,
    organizationId: string,
    { controller, group }: GrantFilters,
  ): Promise<void> {
    if (controller !== undefined) {
      const scope = createScope(principal, 'controllers.read');
      if (!(await repository.showsController(scope, organizationId, controller))) {
        throw new DomainError('controller_not_found', { serialNumber: controller });
      }
    }
    if (group !== undefined) {
      const scope = createScope(principal, 'groups.read');
      if (!(await repository.showsGroup(scope, organizationId, group))) {
        throw new DomainError('group_not_found');
      }
    }
  }

  async function requireSubject(
    transaction: DatabaseTransaction,
    principal: Principal,
    organizationId: string,
    subject: GrantSubject,
  ): Promise<void> {
    if (subject.id === principal.userId) throw new DomainError('own_grant');
    const scope = createScope(principal, permission);
    if (!(await repository.isKnown(transaction, scope, organizationId, subject))) {
      throw new FieldError('subject', 'subject_unknown');
    }
  }

  function tellOf({ id: userId }: GrantSubject, organizationId: string): void {
    events.publish('accessEnded', { userId, organizationId });
  }

  return {
    async list(principal: Principal, organizationId: string, filters: GrantFilters): Promise<Grant[]> {
      await access.require(principal, organizationId, permission, 'anywhere');
      await requireShown(principal, organizationId, filters);
      const scope = createScope(principal, permission);
      const [roles, grants] = await Promise.all([
        repository.listRoles(scope, organizationId, filters),
        repository.list(scope, organizationId, filters),
      ]);
      return [...roles, ...grants];
    },

    /** In place of what the subject has at this place, which has to be the caller's to end. */
    async create(
      principal: Principal,
      organizationId: string,
      request: GrantRequest,
      address: string,
    ): Promise<Grant> {
      const { subject, role } = request;
      const place = await requirePlace(principal, organizationId, request.scope);
      const at = toRolePlace(place);
      const created = await access.change(
        principal,
        organizationId,
        permission,
        async (transaction, organization, rights) => {
          const until = readEnd(request.until);
          await requireSubject(transaction, principal, organizationId, subject);
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
          const { userId: grantedBy } = principal;
          const createdAt = clock.now();
          const given = { id, organizationId, subject, ...place, role, until, grantedBy, createdAt };
          await putGrant(repository, transaction, given);
          const scope = createScope(principal, permission);
          const grant = await repository.get(transaction, scope, organizationId, id);
          if (!grant) throw new FieldError('until', 'grant_end'); // by the clock of the database it is over
          await recordAudit(
            {
              action: 'grant.created',
              userId: grantedBy,
              organizationId,
              subject: grant.subject.name,
              address,
              details: describe(grant),
            },
            transaction,
          );
          return grant;
        },
        at,
      );
      tellOf(subject, organizationId);
      return created;
    },

    async delete(principal: Principal, organizationId: string, id: string, address: string): Promise<void> {
      await access.require(principal, organizationId, permission, 'anywhere');
      const scope = createScope(principal, permission);
      const place = await repository.getPlace(scope, organizationId, id);
      if (!place) throw new DomainError('grant_not_found');
      const at = toRolePlace(place);
      const subject = await access.change(
        principal,
        organizationId,
        permission,
        async (transaction, organization, rights) => {
          const grant = await repository.get(transaction, scope, organizationId, id);
          if (!grant) throw new DomainError('grant_not_found');
          if (grant.isByProvider) throw new DomainError('grant_by_provider');
          const own = await rights.getRole(at);
          if (own === null || !mayManageRole(own, grant.role)) {
            throw new RoleRefusal({ organizationId, subject: organization.name });
          }
          await repository.delete(transaction, organizationId, id);
          await recordAudit(
            {
              action: 'grant.deleted',
              userId: principal.userId,
              organizationId,
              subject: grant.subject.name,
              address,
              details: describe(grant),
            },
            transaction,
          );
          return grant.subject;
        },
        at,
      );
      tellOf(subject, organizationId);
    },

    /** Run by a job every hour. */
    deleteEnded: () => repository.deleteEnded(),
  };
}
export type GrantsService = ReturnType<typeof createGrantsService>;
