import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import { createEnrolmentCounts } from './enrolment-counts.repository.ts';
import type { Enrolment, EnrolmentsRepository, NewEnrolment } from './enrolments.repository.ts';

/** Devices that nobody has claimed and that the server remembers. */
const maxUnclaimed = 100_000;
/** Those of one site; as many stand behind the few addresses of a mobile network. */
const maxUnclaimedPerSite = 2_000;

/** Remembers new devices, as many as there is room for. */
export interface EnrolmentQuota {
  /** Throws `enrolments_limit_reached` where all that could make room have been linked. */
  addEnrolment(enrolment: NewEnrolment): Promise<Enrolment>;
  /** Run by a job. */
  compact(): Promise<void>;
}

/**
 * Where the server or the network of a new device is full, the oldest that was never linked goes: strangers who enrol
 * what does not exist only drive out their own, and a real device that was driven out enrols anew when it links.
 * `isOpen`: anybody may enrol. With a key nobody is a stranger, and one site may have as many as all.
 */
export function createEnrolmentQuota(
  { db, events }: Core,
  dependencies: {
    repository: Pick<EnrolmentsRepository, 'addEnrolment'>;
    isOpen: boolean;
  },
): EnrolmentQuota {
  const { repository, isOpen } = dependencies;
  const counts = createEnrolmentCounts(db);
  const perSite = isOpen ? maxUnclaimedPerSite : maxUnclaimed;

  return {
    async addEnrolment(device) {
      const { network } = device;
      const { enrolment, dropped } = await db.transaction().execute(async (transaction) => {
        const enrolment = await repository.addEnrolment(transaction, device);
        const { ofNetwork, ofAll } = await counts.countUnclaimed(transaction, network);
        const isNew = enrolment.id === device.id;
        if (!isNew || (ofNetwork <= perSite && ofAll <= maxUnclaimed)) {
          return { enrolment, dropped: undefined };
        }
        const dropped = await counts.deleteOldestNeverLinked(transaction, {
          network: ofNetwork > perSite ? network : undefined,
          except: enrolment.id,
        });
        if (dropped === undefined) throw new DomainError('enrolments_limit_reached', 'full');
        return { enrolment, dropped };
      });
      // If it is linked in this very moment, it is told to enrol anew.
      if (dropped !== undefined) events.publish('enrolmentChanged', { enrolmentId: dropped });
      return enrolment;
    },

    compact: counts.compact,
  };
}
