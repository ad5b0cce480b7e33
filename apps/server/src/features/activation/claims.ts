import { isProvenBy } from '@pult/contract/values';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import { createId } from '../../platform/ids.ts';
import type { Enrolment, EnrolmentsService, Links } from '../devices/index.ts';
import { type ClaimedController, activationRepository as repository } from './activation.repository.ts';

interface Dependencies {
  enrolments: EnrolmentsService;
  links: Links;
  events: Events;
  recordAudit: RecordAuditEvent;
  clock: Clock;
  /** 0: no limit. */
  maxControllers: number;
}

interface NewController {
  organizationId: string;
  enrolment: Enrolment;
  groupId: string | null;
  /** The organization has a controller of this serial number, which gets the key of this device. */
  isReclaim: boolean;
}

interface Contest {
  enrolment: Enrolment;
  organizationId: string;
  /** Held. */
  existing: ClaimedController | undefined;
}

/** What every claim does, by whatever it was allowed. */
export function createClaims({
  enrolments,
  links,
  events,
  recordAudit,
  clock,
  maxControllers,
}: Dependencies) {
  return {
    /**
     * Who has the right to a serial number: a device whose hardware proves it, before any that only says it. The controller of
     * another organization that has given way, with its data; throws `serial_number_proven`.
     */
    async settle(
      transaction: DatabaseTransaction,
      { enrolment, organizationId, existing }: Contest,
    ): Promise<ClaimedController | undefined> {
      const { serial_number: serialNumber, connection_kind: kind } = enrolment;
      if (existing?.organizationId === organizationId) return undefined;
      if (!isProvenBy(kind)) {
        if (await enrolments.hasProvenRival(transaction, enrolment))
          throw new DomainError('serial_number_proven', { serialNumber });
        return undefined;
      }
      if (!existing || isProvenBy(existing.connectionKind)) return undefined;
      await repository.deleteController(transaction, existing);
      // Who has claimed it is not the business of those who lose it.
      await recordAudit(
        {
          action: 'controller.displaced',
          organizationId: existing.organizationId,
          subject: serialNumber,
          address: '',
        },
        transaction,
      );
      return existing;
    },

    /** Makes the controller of an enrolment that is held; the ids of the enrolments that lost its serial number. */
    async save(transaction: DatabaseTransaction, controller: NewController): Promise<string[]> {
      const { enrolment, isReclaim } = controller;
      // A reflashed controller is counted already.
      if (
        maxControllers > 0 &&
        !isReclaim &&
        (await repository.countForLicence(transaction)) >= maxControllers
      ) {
        throw new DomainError('controllers_limit_reached', { limit: maxControllers });
      }
      const isLinked = links.get(enrolment.id) !== undefined;
      const saved = { ...controller, id: createId(), isLinked, now: clock.now() };
      if (!(await repository.saveController(transaction, saved))) {
        throw new DomainError('serial_number_taken', { serialNumber: enrolment.serial_number });
      }
      return enrolments.dropOthers(transaction, enrolment);
    },

    /** Tells those who look on, and the devices, after the commit. */
    announce(
      enrolment: Enrolment,
      organizationId: string,
      { dropped, displaced }: { dropped: readonly string[]; displaced?: ClaimedController | undefined },
    ): void {
      const serialNumber = enrolment.serial_number;
      if (displaced) {
        events.publish('accessEnded', { controllerId: displaced.id });
        events.publish('organization', {
          organizationId: displaced.organizationId,
          event: { type: 'controller.deleted', serialNumber },
        });
      }
      for (const enrolmentId of [enrolment.id, ...dropped])
        events.publish('enrolmentChanged', { enrolmentId });
      events.publish('organization', {
        organizationId,
        event: { type: 'controller.activated', serialNumber },
      });
    },
  };
}
export type Claims = ReturnType<typeof createClaims>;
