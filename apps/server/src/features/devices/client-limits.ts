import type { Clock } from '../../platform/clock.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { DomainError } from '../../platform/errors.ts';
import { toNetwork } from '../../platform/network.ts';
import { createTokenBuckets } from '../../platform/token-buckets.ts';
import type { AdmissionControl } from './admission-control.ts';

/** What one client may take of what all devices share, by its address. */
export interface ClientLimits {
  /** A place among those who wait, to be released; throws `service_unavailable` where there is none. */
  enterQueue(address: string): () => void;
  /** Throws `too_many_attempts`. */
  countEnrolment(address: string): void;
}

/** Devices of one client that may wait: no stranger shall fill the queue for all. */
const waitingPerClient = 250;

export function createClientLimits(
  clock: Clock,
  admission: Pick<AdmissionControl, 'isFull' | 'issueRetryAfter'>,
): ClientLimits {
  const waiting = createConcurrencyLimit(waitingPerClient);
  // 200 devices behind one address are switched on together.
  const enrolmentRate = createTokenBuckets(clock, { burst: 300, perSecond: 1 });
  return {
    enterQueue(address) {
      const release = admission.isFull() ? undefined : waiting.acquire(toNetwork(address));
      if (!release) throw new DomainError('service_unavailable', { seconds: admission.issueRetryAfter() });
      return release;
    },
    countEnrolment(address) {
      const refused = enrolmentRate.take(toNetwork(address));
      if (refused) throw new DomainError('too_many_attempts', { seconds: refused.waitSeconds });
    },
  };
}
