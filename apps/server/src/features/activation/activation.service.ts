import { type Controller, isAllowed, type Replacement, type Role } from '@pult/contract';
import { type Caller, requireEntry, type ScopedCaller } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError, RoleRefusal } from '../../platform/errors.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { EnrolmentsService } from '../devices/index.ts';
import { type ActivationStanding, activationRepository as repository } from './activation.repository.ts';
import type { Claims } from './claims.ts';
import type { Replacements } from './replacements.ts';

interface Dependencies {
  db: Database;
  enrolments: EnrolmentsService;
  claims: Claims;
  replacements: Replacements;
  controllers: ControllersService;
}

/** Claiming a controller by the token that only its own screen shows. */
export function createActivationService(dependencies: Dependencies) {
  const { db, enrolments, claims, replacements, controllers } = dependencies;

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
      caller: ScopedCaller,
      request: {
        token: string;
        organization: string;
        group?: string | null | undefined;
        replace?: string | undefined;
      },
    ): Promise<Controller> {
      const { principal } = caller;
      const { organization: organizationId, group: groupId = null, replace } = request;
      const selected = await enrolments.requireByActivationToken(request.token);
      const serialNumber = selected.serial_number;

      const losers = await db.transaction().execute(async (transaction) => {
        const place = { organizationId, groupId };
        const standing = await repository.getStanding(transaction, principal, place);
        if (!standing) throw new DomainError('organization_not_found');
        requireEntry(principal, { ...standing, id: organizationId });
        const may = (role: Role | null) => role !== null && isAllowed(role, 'controllers.activate');
        const at = { organizationId, serialNumber };
        const mayAt = async () => may(await repository.getRoleAt(transaction, principal, at));
        // A controller that is there already stays where it is.
        const hasPlace = await mayAt();
        if (!hasPlace) {
          await requireGroup(transaction, place, standing);
          if (!may(standing.role)) throw new RoleRefusal({ organizationId, subject: serialNumber });
        }
        // First the controller, then its devices, as a deletion does: the two must not wait for each other.
        const existing = await repository.lockController(transaction, serialNumber);
        const isOwn = existing?.organizationId === organizationId;
        // It was deleted a moment ago.
        if (hasPlace && !isOwn)
          throw new DomainError('replacement_outdated', 'controller_gone', { serialNumber });
        // One that is there already is not to be had by a right on another part of the tree.
        if (isOwn && !(await mayAt()))
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
          dropped,
          replaced: outcome === 'replace' ? existing : undefined,
        };
      });

      claims.announce(selected, organizationId, losers);
      return controllers.getController(caller.scopeFor('controllers.read'), serialNumber);
    },
  };
}
export type ActivationService = ReturnType<typeof createActivationService>;
