import type { Core } from '../../platform/core.ts';
import type { Enrolment, EnrolmentsRepository } from './enrolments.repository.ts';

interface Dependencies {
  repository: Pick<EnrolmentsRepository, 'detach'>;
}

/**
 * A device that has proven its key leaves by itself: its controller stays, with all that it had, and may be claimed again by a new
 * token only. False where the enrolment, as it was read, has none.
 */
export type DetachDevice = (enrolment: Enrolment, address: string) => Promise<boolean>;

export function createDetachDevice(
  { db, clock, events, recordAudit }: Core,
  { repository }: Dependencies,
): DetachDevice {
  return async (enrolment, address) => {
    const change = await db.transaction().execute(async (transaction) => {
      const detached = await repository.detach(transaction, enrolment, clock.now());
      if (!detached) return undefined;
      const { organizationId, serialNumber: subject } = detached;
      await recordAudit({ action: 'controller.left', organizationId, subject, address }, transaction);
      return detached;
    });
    if (!change) return false;
    const { controllerId, organizationId, serialNumber, statusSince, lastSeenAt } = change;
    events.publish('accessEnded', { controllerId });
    // Whichever node has its link ends that.
    events.publish('enrolmentChanged', { enrolmentId: enrolment.id });
    events.publish('organization', {
      organizationId,
      event: {
        type: 'controller.status',
        serialNumber,
        status: 'offline',
        statusReason: 'detached',
        statusSince: statusSince.toISOString(),
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
      },
    });
    return true;
  };
}
