import { type Controller, isAllowed } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../platform/errors.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService } from '../devices/index.ts';
import { requireSecondFactor } from '../organizations/index.ts';
import { activationRepository as repository } from './activation.repository.ts';
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

  return {
    /** The serial number that a token stands for. Changes nothing. */
    async validate(token: string): Promise<{ controllerSerialNumber: string }> {
      return { controllerSerialNumber: (await requireEnrolment(token)).serial_number };
    },

    /** Of two claims at once the second loses with `activation_token_invalid`. */
    async activate(
      principal: Principal,
      request: { token: string; organization: string },
      address: string,
    ): Promise<Controller> {
      const { userId } = principal;
      const organizationId = request.organization;
      const selected = await requireEnrolment(request.token);
      const serialNumber = selected.serial_number;

      const { dropped, displaced } = await db.transaction().execute(async (transaction) => {
        const membership = await repository.getMembership(transaction, userId, organizationId);
        if (!membership) throw new DomainError('organization_not_found');
        requireSecondFactor(principal, membership);
        if (!isAllowed(membership.role, 'controllers.activate')) {
          throw new RoleRefusal({ organizationId, subject: serialNumber });
        }
        // First the controller, then its devices, as a deletion does: the two must not wait for each other.
        const existing = await repository.lockController(transaction, serialNumber);
        const enrolment = await enrolments.takeForClaim(transaction, selected);
        if (!enrolment) throw new DomainError('activation_token_invalid');
        const displaced = await claims.settle(transaction, { enrolment, organizationId, existing });
        const dropped = await claims.save(transaction, {
          organizationId,
          enrolment,
          groupId: null,
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
