import { isAllowed, isProvenBy, type Replacement, rolesAllowed } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, RoleRefusal } from '../../platform/errors.ts';
import { requireInScope } from '../../platform/http/token-scope.ts';
import { fingerprintOf } from '../../platform/ssh-fingerprint.ts';
import type { Enrolment, EnrolmentsService } from '../devices/index.ts';
import { type ClaimedController, activationRepository as repository } from './activation.repository.ts';
import { judgeReplacing } from './succession.ts';

interface Asked {
  enrolment: Enrolment;
  /** Held. */
  existing: ClaimedController;
  /** The fingerprint of the device that is to go, as the caller was shown it. */
  replace: string | undefined;
}

const permission = 'controllers.delete';

/** Another device in the place of a controller's own: whoever may not delete the controller does not do that either. */
export function createReplacements(
  { db, mail, clock }: Core,
  { enrolments }: { enrolments: EnrolmentsService },
) {
  async function requireAdmin(
    transaction: DatabaseTransaction,
    { principal }: Caller,
    { organizationId }: ClaimedController,
    serialNumber: string,
  ): Promise<void> {
    const role = await repository.getRoleAt(transaction, principal, { organizationId, serialNumber });
    if (role === null || !isAllowed(role, permission)) {
      const attempt = { organizationId, subject: serialNumber, permission } as const;
      throw new RoleRefusal(attempt, 'replacement_needs_admin', { serialNumber });
    }
    requireInScope(principal, permission);
  }

  async function noteForgottenKey(
    transaction: DatabaseTransaction,
    caller: Caller,
    { organizationId, sshHostKey }: ClaimedController,
    subject: string,
  ): Promise<void> {
    if (!sshHostKey) return;
    const details = { fingerprint: fingerprintOf(sshHostKey) };
    await caller.audit('host_key.forgotten', { organizationId, subject, details }, transaction);
  }

  return {
    /** What the claim of this device would replace, for those who see it; undefined for all others. */
    async find({ scopeFor }: Caller, enrolment: Enrolment): Promise<Replacement | undefined> {
      const {
        id: enrolmentId,
        serial_number: serialNumber,
        connection_kind: connectionKind,
        model,
      } = enrolment;
      const present = await repository.findPresent(db, scopeFor('controllers.read'), serialNumber);
      if (!present) return undefined;
      const { organizationId, organizationName, role } = present;
      const hasProvenRival = await enrolments.hasProvenRival(enrolment);
      const candidate = { organizationId, enrolmentId, connectionKind, hasProvenRival };
      const judged = judgeReplacing(present, candidate);
      if (judged.outcome === 'same') return undefined;
      const refused = judged.outcome === 'refused' ? judged.code : undefined;
      const mayReplace = isAllowed(role, permission);
      return {
        organization: { id: organizationId, name: organizationName },
        present: {
          fingerprint: fingerprintOf(present.publicKey),
          connectionKind: present.connectionKind,
          model: present.model,
          status: present.status,
          lastSeenAt: present.lastSeenAt?.toISOString() ?? null,
        },
        candidate: { fingerprint: fingerprintOf(enrolment.public_key), connectionKind, model },
        refusal: refused ?? (mayReplace ? null : 'replacement_needs_admin'),
      };
    },

    /** Inside a claim: throws unless the caller may do it and has asked for the replacement of this very device; written down and told. */
    async approve(
      transaction: DatabaseTransaction,
      caller: Caller,
      { enrolment, existing, replace }: Asked,
    ): Promise<void> {
      const { organizationId } = existing;
      const { serial_number: serialNumber } = enrolment;
      await requireAdmin(transaction, caller, existing, serialNumber);
      const previousFingerprint = fingerprintOf(await repository.getPublicKey(transaction, existing));
      if (replace === undefined) {
        throw new DomainError('replacement_not_asked', { serialNumber, fingerprint: previousFingerprint });
      }
      if (replace !== previousFingerprint)
        throw new DomainError('replacement_outdated', 'other_device', { serialNumber });
      const { email: actor } = caller.principal;
      const { address } = caller;
      const details = { fingerprint: fingerprintOf(enrolment.public_key), previousFingerprint };
      const said = { organizationId, subject: serialNumber, details };
      await caller.audit('controller.device_replaced', said, transaction);
      await noteForgottenKey(transaction, caller, existing, serialNumber);
      const admins = await repository.listPeople(transaction, existing.id, rolesAllowed(permission));
      const shown = { serialNumber, organizationId, ...details, actor, address, time: clock.now() };
      for (const { organization, ...admin } of admins) {
        await mail.send('device-replaced', admin, { ...shown, organization }, transaction);
      }
    },

    /**
     * Inside a claim for a controller whose device has left. One that only says the serial number, which the device before had proven, is
     * another device for certain: it takes over guests' links, endpoints and history, so it comes in by an admin.
     */
    async approveReturn(
      transaction: DatabaseTransaction,
      caller: Caller,
      { enrolment, existing }: Omit<Asked, 'replace'>,
    ): Promise<void> {
      const { serial_number: subject, connection_kind: connectionKind } = enrolment;
      if (isProvenBy(existing.connectionKind) && !isProvenBy(connectionKind)) {
        await requireAdmin(transaction, caller, existing, subject);
      }
      await noteForgottenKey(transaction, caller, existing, subject);
    },
  };
}
export type Replacements = ReturnType<typeof createReplacements>;
