import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import type { Enrolment, EnrolmentsService, LocalLinks } from '../devices/index.ts';
import { type ClaimedController, activationRepository as repository } from './activation.repository.ts';
import { judgeSuccession, type Succession } from './succession.ts';

interface Dependencies {
  enrolments: EnrolmentsService;
  links: LocalLinks;
  /** 0: no limit. */
  maxControllers: number;
}

/** How a claim that is not refused ends: see Succession. */
type Outcome = Exclude<Succession['outcome'], 'refused'>;

interface NewController {
  organizationId: string;
  enrolment: Enrolment;
  groupId: string | null;
  outcome: Outcome;
}

interface Contest {
  enrolment: Enrolment;
  organizationId: string;
  /** Held. */
  existing: ClaimedController | undefined;
}

/** Who has given way to a claim. */
interface Losers {
  /** Enrolments. */
  dropped: readonly string[];
  /** It stays, with another device. */
  replaced?: ClaimedController | undefined;
}

/** What every claim does, by whatever it was allowed. */
export function createClaims({ clock, events }: Core, dependencies: Dependencies) {
  const { enrolments, links, maxControllers } = dependencies;

  return {
    /** Who has the right to a serial number: see `judgeSuccession`. Throws where the device has not. */
    async settle(
      transaction: DatabaseTransaction,
      { enrolment, organizationId, existing }: Contest,
    ): Promise<Outcome> {
      const { id: enrolmentId, serial_number: serialNumber, connection_kind: connectionKind } = enrolment;
      const hasProvenRival = await enrolments.hasProvenRival(enrolment, transaction);
      const candidate = { organizationId, enrolmentId, connectionKind, hasProvenRival };
      const succession = judgeSuccession(existing, candidate);
      if (succession.outcome !== 'refused') return succession.outcome;
      const { code } = succession;
      throw code === 'serial_number_taken'
        ? new DomainError(code, 'other_organization', { serialNumber })
        : new DomainError(code, { serialNumber });
    },

    /** Makes the controller of an enrolment that is held; the ids of the enrolments that lost its serial number. */
    async save(transaction: DatabaseTransaction, controller: NewController): Promise<string[]> {
      const { enrolment, outcome } = controller;
      // One that has but another device is counted already.
      const isAdded = outcome === 'new';
      if (
        maxControllers > 0 &&
        isAdded &&
        (await repository.countForLicence(transaction)) >= maxControllers
      ) {
        throw new DomainError('controllers_limit_reached', { limit: maxControllers });
      }
      const isLinked = links.get(enrolment.id) !== undefined;
      const saved = { ...controller, id: createId(), isAdded, isLinked, now: clock.now() };
      if (!(await repository.saveController(transaction, saved))) {
        throw new DomainError('serial_number_taken', 'claimed_meanwhile', {
          serialNumber: enrolment.serial_number,
        });
      }
      return enrolments.dropOthers(transaction, enrolment);
    },

    /** Tells those who look on, and the devices, after the commit. */
    announce(enrolment: Enrolment, organizationId: string, { dropped, replaced }: Losers): void {
      const serialNumber = enrolment.serial_number;
      // Nothing that was for the device before goes on, be its link on a node that is told late: archives, tunnels, kept answers.
      if (replaced) events.publish('accessEnded', { controllerId: replaced.id });
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
