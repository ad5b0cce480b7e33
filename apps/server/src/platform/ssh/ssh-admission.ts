import type { Clock } from '../clock.ts';
import { toNetwork } from '../network.ts';

/** Connections that nobody has logged in on. A fleet's worth of Ansible comes at once, from one address. */
const maxWaiting = 500;
const maxWaitingPerNetwork = 60;
/** Failed logins of a network within the window; more are refused until it is over. */
const maxFailures = 120;
const failureWindow = 10 * 60_000;
/** Networks whose failures are remembered. */
const maxRemembered = 10_000;

interface Failures {
  count: number;
  since: number;
}

/** Who may try to log in. In memory, as OpenSSH's own penalties are: a key cannot be guessed, only the door be blocked. */
export interface SshAdmission {
  /** Acquires room for a connection; the caller releases it. Or says why there is none. */
  acquire(address: string): 'busy' | 'penalized' | (() => void);
  /** A connection ended without a login. */
  noteFailure(address: string): void;
}

export function createSshAdmission(clock: Clock): SshAdmission {
  const waiting = new Map<string, number>();
  const failures = new Map<string, Failures>();
  let total = 0;

  const isOver = ({ since }: Failures) => clock.now().getTime() - since >= failureWindow;

  function forget(): void {
    for (const [network, each] of failures) if (isOver(each)) failures.delete(network);
    const [oldest] = failures.keys();
    if (failures.size >= maxRemembered && oldest !== undefined) failures.delete(oldest);
  }

  return {
    acquire(address) {
      const network = toNetwork(address);
      const failed = failures.get(network);
      if (failed && failed.count >= maxFailures && !isOver(failed)) return 'penalized';
      const ofNetwork = waiting.get(network) ?? 0;
      if (total >= maxWaiting || ofNetwork >= maxWaitingPerNetwork) return 'busy';
      total += 1;
      waiting.set(network, ofNetwork + 1);
      let isReleased = false;
      return () => {
        if (isReleased) return;
        isReleased = true;
        total -= 1;
        const left = (waiting.get(network) ?? 1) - 1;
        if (left === 0) waiting.delete(network);
        else waiting.set(network, left);
      };
    },

    noteFailure(address) {
      const network = toNetwork(address);
      const known = failures.get(network);
      if (known && !isOver(known)) {
        known.count += 1;
        return;
      }
      if (failures.size >= maxRemembered) forget();
      failures.set(network, { count: 1, since: clock.now().getTime() });
    },
  };
}
