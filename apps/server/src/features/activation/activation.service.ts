import { type Controller, isAllowed, type Replacement } from '@pult/contract';
import {
  type AskingCaller,
  type Caller,
  type Decided,
  requireEntry,
  requireRole,
} from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService } from '../devices/index.ts';
import { type ActivationAccess, activationRepository as repository } from './activation.repository.ts';
import type { Claims } from './claims.ts';
import type { Replacements } from './replacements.ts';

interface Dependencies {
  enrolments: EnrolmentsService;
  claims: Claims;
  replacements: Replacements;
  controllers: ControllersService;
}

/** Claiming a controller by the token that only its own screen shows. */
export function createActivationService({ db }: Core, dependencies: Dependencies) {
  const { enrolments, claims, replacements, controllers } = dependencies;

  /** Whoever has only parts of the organization says into which of their groups, and learns of no other. */
  async function requireGroup(
    transaction: DatabaseTransaction,
    { organizationId, groupId }: { organizationId: string; groupId: string | null },
    { rootRole, role }: ActivationAccess,
  ): Promise<void> {
    if (groupId === null && rootRole === null) throw new FieldError('group', 'required');
    if (groupId === null) return;
    if (role === null || !(await repository.holdGroup(transaction, organizationId, groupId))) {
      throw new FieldError('group', 'group_unknown');
    }
  }

  return {
    /** The serial number that a token stands for, and what its claim would replace. Changes nothing. */
    async validate(
      caller: Caller,
      token: string,
    ): Promise<{ controllerSerialNumber: string; replacement?: Replacement }> {
      const enrolment = await enrolments.requireByActivationToken(token);
      const replacement = await replacements.find(caller, enrolment);
      return { controllerSerialNumber: enrolment.serial_number, ...(replacement ? { replacement } : {}) };
    },

    /** Of two claims at once the second loses with `activation_token_invalid`. */
    async activate(
      caller: AskingCaller,
      request: {
        token: string;
        organization: string;
        group?: string | null | undefined;
        replace?: string | undefined;
      },
    ): Promise<Decided<Controller>> {
      const { principal } = caller;
      const { organization: organizationId, group: groupId = null, replace } = request;
      const selected = await enrolments.requireByActivationToken(request.token);
      const serialNumber = selected.serial_number;

      const losers = await db.transaction().execute(async (transaction) => {
        const place = { organizationId, groupId };
        const access = await repository.getAccess(transaction, principal, place);
        if (!access) throw new DomainError('organization_not_found');
        requireEntry(principal, { ...access, id: organizationId });
        const at = { organizationId, serialNumber };
        /** At the controller, where it lets them claim it. */
        const getRoleAt = async () => {
          const role = await repository.getRoleAt(transaction, principal, at);
          return role !== null && isAllowed(role, 'controllers.activate') ? role : null;
        };
        // A controller that is there already stays where it is.
        const hasPlace = await getRoleAt();
        if (!hasPlace) await requireGroup(transaction, place, access);
        const by = requireRole(hasPlace ?? access.role, 'controllers.activate', {
          organizationId,
          subject: serialNumber,
        });
        // First the controller, then its devices, as a deletion does: the two must not wait for each other.
        const existing = await repository.lockController(transaction, serialNumber);
        const isOwn = existing?.organizationId === organizationId;
        // It was deleted a moment ago.
        if (hasPlace && !isOwn)
          throw new DomainError('replacement_outdated', 'controller_gone', { serialNumber });
        // One that is there already is not to be had by a right on another part of the tree.
        if (isOwn && !(await getRoleAt()))
          throw new DomainError('serial_number_taken', 'other_part', { serialNumber });
        const enrolment = await enrolments.takeForClaim(transaction, selected);
        if (!enrolment) throw new DomainError('activation_token_invalid', 'used_meanwhile');
        const outcome = await claims.settle(transaction, { enrolment, organizationId, existing });
        if (outcome === 'replace' && existing) {
          await replacements.approve(transaction, caller, { enrolment, existing, replace });
        } else {
          if (replace !== undefined)
            throw new DomainError('replacement_outdated', 'nothing_to_replace', { serialNumber });
          await caller.audit('controller.activated', { organizationId, subject: serialNumber }, transaction);
          if (outcome === 'return' && existing) {
            await replacements.approveReturn(transaction, caller, { enrolment, existing });
          }
        }
        const dropped = await claims.save(transaction, { organizationId, enrolment, groupId, outcome });
        return {
          by,
          dropped,
          replaced: outcome === 'replace' ? existing : undefined,
        };
      });

      claims.announce(selected, organizationId, losers);
      const claimed = await controllers.getController(caller.scopeFor('controllers.read'), serialNumber);
      return caller.decide(losers.by, claimed);
    },
  };
}
export type ActivationService = ReturnType<typeof createActivationService>;
