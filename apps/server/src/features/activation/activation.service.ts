import { type Controller, isAllowed } from '@pult/contract';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService, Links } from '../devices/index.ts';
import { requireSecondFactor } from '../organizations/index.ts';
import { activationRepository as repository } from './activation.repository.ts';

interface Dependencies {
  db: Database;
  enrolments: EnrolmentsService;
  links: Links;
  controllers: ControllersService;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  /** 0: no limit. */
  maxControllers: number;
}

/** Claiming a controller by the token that only its own screen shows. */
export function createActivationService(dependencies: Dependencies) {
  const { db, enrolments, links, controllers, events, recordAudit, clock, maxControllers } = dependencies;

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

      const dropped = await db.transaction().execute(async (transaction) => {
        const membership = await repository.getMembership(transaction, userId, organizationId);
        if (!membership) throw new DomainError('organization_not_found');
        requireSecondFactor(principal, membership);
        if (!isAllowed(membership.role, 'controllers.activate')) {
          throw new RoleRefusal({ organizationId, subject: serialNumber });
        }
        // First the controller, then its devices, as a deletion does: the two must not wait for each other.
        const isReclaim = await repository.lockController(transaction, serialNumber);
        const enrolment = await enrolments.takeForClaim(transaction, selected);
        if (!enrolment) throw new DomainError('activation_token_invalid');
        // A reflashed controller is counted already.
        if (
          maxControllers > 0 &&
          !isReclaim &&
          (await repository.countForLicence(transaction)) >= maxControllers
        ) {
          throw new DomainError('controllers_limit_reached', { limit: maxControllers });
        }
        const isLinked = links.get(enrolment.id) !== undefined;
        const controller = { id: createId(), organizationId, enrolment, isLinked, now: clock.now() };
        if (!(await repository.saveController(transaction, controller))) {
          throw new DomainError('serial_number_taken', { serialNumber });
        }
        const others = await enrolments.dropOthers(transaction, enrolment);
        await recordAudit(
          { action: 'controller.activated', userId, organizationId, subject: serialNumber, address },
          transaction,
        );
        return others;
      });

      for (const enrolmentId of [selected.id, ...dropped])
        events.publish('enrolmentChanged', { enrolmentId });
      events.publish('organization', {
        organizationId,
        event: { type: 'controller.activated', serialNumber },
      });
      return controllers.getController(principal, serialNumber);
    },
  };
}
export type ActivationService = ReturnType<typeof createActivationService>;
