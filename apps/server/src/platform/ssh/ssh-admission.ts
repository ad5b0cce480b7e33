import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { toNetwork } from '../network.ts';
import { createStrangerLimit } from '../stranger-limit.ts';

/** Connections that nobody has logged in on. A fleet's worth of Ansible comes at once, from one address. */
const bounds = { perNetwork: 60, inTotal: 500 };
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
  /** Acquires room for a connection; the caller releases it, and `cut` ends it where it has to make room. Or says why there is none. */
  acquire(address: string, cut: () => void): 'busy' | 'penalized' | (() => void);
  /** A connection ended without a login. */
  noteFailure(address: string): void;
}

export function createSshAdmission(clock: Clock, port: { listener: string; log: Logger }): SshAdmission {
  const waiting = createStrangerLimit(bounds, port);
  const failures = new Map<string, Failures>();

  const isOver = ({ since }: Failures) => clock.now().getTime() - since >= failureWindow;

  function forget(): void {
    for (const [network, each] of failures) if (isOver(each)) failures.delete(network);
    const [oldest] = failures.keys();
    if (failures.size >= maxRemembered && oldest !== undefined) failures.delete(oldest);
  }

  return {
    acquire(address, cut) {
      const failed = failures.get(toNetwork(address));
      if (failed && failed.count >= maxFailures && !isOver(failed)) return 'penalized';
      return waiting.acquire(address, cut) ?? 'busy';
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
