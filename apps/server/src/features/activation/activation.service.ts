import { type Controller, isAllowed, type Role } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService } from '../devices/index.ts';
import { requireEntry } from '../organizations/index.ts';
import { type ActivationStanding, activationRepository as repository } from './activation.repository.ts';
import type { Claims } from './claims.ts';

interface Dependencies {
  db: Database;
  enrolments: EnrolmentsService;
  claims: Claims;
  controllers: ControllersService;
  recordAudit: RecordAuditEvent;
}

/** Claiming a controller by the token that only its own screen shows. */
export function createActivationService(dependencies: Dependencies) {
  const { db, enrolments, claims, controllers, recordAudit } = dependencies;

  async function requireEnrolment(token: string) {
    const enrolment = await enrolments.getByActivationToken(token);
    if (!enrolment) throw new DomainError('activation_token_invalid');
    return enrolment;
  }

  /** Whoever has only parts of the organization says into which of their groups, and learns of no other. */
  async function requireGroup(
    transaction: DatabaseTransaction,
    { organizationId, groupId }: { organizationId: string; groupId: string | null },
    { rootRole, role }: ActivationStanding,
  ): Promise<void> {
    if (groupId === null && rootRole === null) throw new FieldError('group', 'required');
    if (groupId === null) return;
    if (role === null || !(await repository.holdGroup(transaction, organizationId, groupId))) {
      throw new FieldError('group', 'group_unknown');
    }
  }

  return {
    /** The serial number that a token stands for. Changes nothing. */
    async validate(token: string): Promise<{ controllerSerialNumber: string }> {
      return { controllerSerialNumber: (await requireEnrolment(token)).serial_number };
    },

    /** Of two claims at once the second loses with `activation_token_invalid`. */
    async activate(
      principal: Principal,
      request: { token: string; organization: string; group?: string | null | undefined },
      address: string,
    ): Promise<Controller> {
      const { userId } = principal;
      const { organization: organizationId, group: groupId = null } = request;
      const selected = await requireEnrolment(request.token);
      const serialNumber = selected.serial_number;

      const { dropped, displaced } = await db.transaction().execute(async (transaction) => {
        const place = { organizationId, groupId };
        const standing = await repository.getStanding(transaction, principal, place);
        if (!standing) throw new DomainError('organization_not_found');
        requireEntry(principal, { ...standing, id: organizationId });
        await requireGroup(transaction, place, standing);
        const may = (role: Role | null) => role !== null && isAllowed(role, 'controllers.activate');
        if (!may(standing.role)) throw new RoleRefusal({ organizationId, subject: serialNumber });
        // First the controller, then its devices, as a deletion does: the two must not wait for each other.
        const existing = await repository.lockController(transaction, serialNumber);
        // One that is there already is not to be had by a right on another part of the tree.
        if (existing?.organizationId === organizationId && !may(standing.rootRole)) {
          const at = { organizationId, serialNumber };
          if (!may(await repository.getRoleAt(transaction, principal, at))) {
            throw new DomainError('serial_number_taken', { serialNumber });
          }
        }
        const enrolment = await enrolments.takeForClaim(transaction, selected);
        if (!enrolment) throw new DomainError('activation_token_invalid');
        const displaced = await claims.settle(transaction, { enrolment, organizationId, existing });
        const dropped = await claims.save(transaction, {
          organizationId,
          enrolment,
          groupId,
          isReclaim: existing !== undefined && !displaced,
        });
        await recordAudit(
          { action: 'controller.activated', userId, organizationId, subject: serialNumber, address },
          transaction,
        );
        return { dropped, displaced };
      });

      claims.announce(selected, organizationId, { dropped, displaced });
      return controllers.getController(principal, serialNumber);
    },
  };
}
export type ActivationService = ReturnType<typeof createActivationService>;
