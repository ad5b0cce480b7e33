import type { Clock } from '../../platform/clock.ts';
import { createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import { DomainError } from '../../platform/errors.ts';
import { toNetwork } from '../../platform/network.ts';
import { createTokenBuckets } from '../../platform/token-buckets.ts';
import type { AdmissionControl } from './admission-control.ts';
import { createFairQueue } from './fair-queue.ts';

/** What one client may take of what all devices share, by its address. */
export interface ClientLimits {
  /** Whether devices that ask for a challenge find no room, wherever they are. */
  isFull(): boolean;
  /**
   * A place among those who wait, to be released; throws `service_unavailable` where there is none. `isExpected`: of a device that has
   * been let in once, by a challenge or a handshake. These have places of their own.
   */
  enterQueue(address: string, isExpected?: boolean): () => void;
  /** The same for a connection that has yet to log in, which only waits for its client. */
  enterLogin(address: string): () => void;
  /** Throws `too_many_attempts`. */
  countEnrolment(address: string): void;
}

/** As many as may wait of each sort; of all kinds together twice as many (`AdmissionControl`). */
const places = 300;
/** Connections of one client that may log in at a time. */
const loginsPerClient = 250;

export function createClientLimits(
  clock: Clock,
  admission: Pick<AdmissionControl, 'isFull' | 'issueRetryAfter'>,
): ClientLimits {
  const [newcomers, expected] = [createFairQueue(places), createFairQueue(places)];
  const logins = createConcurrencyLimit(loginsPerClient);
  // 200 devices behind one address are switched on together.
  const enrolmentRate = createTokenBuckets(clock, { burst: 300, perSecond: 1 });

  function enter(take: () => (() => void) | undefined): () => void {
    const isFull = admission.isFull();
    const release = isFull ? undefined : take();
    if (release) return release;
    throw new DomainError('service_unavailable', isFull ? 'devices_waiting' : 'address_waiting', {
      seconds: admission.issueRetryAfter(),
    });
  }

  return {
    isFull: () => newcomers.isFull || admission.isFull(),
    enterQueue: (address, isExpected = false) =>
      enter(() => (isExpected ? expected : newcomers).enter(address)),
    enterLogin: (address) => enter(() => logins.acquire(toNetwork(address))),
    countEnrolment(address) {
      const refused = enrolmentRate.take(toNetwork(address));
      if (refused) throw new DomainError('too_many_attempts', 'enrolments', { seconds: refused.waitSeconds });
    },
  };
}
