import { isIPv6 } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Logger } from '../log.ts';
import { toNetwork, toSite } from '../network.ts';
import { createStrangerLimit } from '../stranger-limit.ts';

/** Connections that nobody has logged in on. A fleet's worth of Ansible comes at once, from one address. */
const bounds = { perNetwork: 60, inTotal: 500 };
/** Failed logins of a network within the window; more are refused until it is over. */
const maxFailures = 120;
/** Of a site of IPv6, which has 65,536 networks: as many as of ten of them, so that one does not close the port for its neighbours. */
const maxFailuresOfSite = 10 * maxFailures;
const failureWindow = 10 * 60_000;
/** Networks whose failures are remembered. */
const maxRemembered = 10_000;

interface Failures {
  count: number;
  since: number;
}

/** What the failures of an address are counted by, and how many each may have. */
function countersOf(address: string): [name: string, most: number][] {
  const own: [string, number] = [toNetwork(address), maxFailures];
  return isIPv6(address) ? [own, [toSite(address), maxFailuresOfSite]] : [own];
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

  function count(name: string, most: number): void {
    const known = failures.get(name);
    if (known && !isOver(known)) {
      known.count += 1;
      if (known.count === most)
        port.log.warn(
          { listener: port.listener, network: name },
          'closed for a while: too many failed logins',
        );
      return;
    }
    if (failures.size >= maxRemembered) forget();
    failures.set(name, { count: 1, since: clock.now().getTime() });
  }

  return {
    acquire(address, cut) {
      const isPenalized = countersOf(address).some(([name, most]) => {
        const failed = failures.get(name);
        return failed !== undefined && failed.count >= most && !isOver(failed);
      });
      return isPenalized ? 'penalized' : (waiting.acquire(address, cut) ?? 'busy');
    },

    noteFailure(address) {
      for (const [name, most] of countersOf(address)) count(name, most);
    },
  };
}
