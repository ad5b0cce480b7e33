import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { Logger } from './log.ts';
import { toNetwork, toSite } from './network.ts';

export interface StrangerBounds {
  /** Connections at a time of one address, or one /64 of IPv6. */
  perNetwork: number;
  inTotal: number;
  /**
   * Where a bound is reached, the oldest connection makes room once it is older than this: time enough for an honest client, and no longer
   * for one that holds its place and does nothing. With 0 nobody new is refused: for peers of ours, which need milliseconds.
   * A site that holds more than the newcomer's would, or a network within its site, makes room at any age.
   */
  patienceMs?: number;
}

/** Connections of those who have not shown yet who they are. */
export interface StrangerLimit {
  /** Acquires room, to be released once; `cut` is called where the connection is to make room. Undefined when there is none. */
  acquire(address: string, cut: () => void): (() => void) | undefined;
}

interface Stranger {
  network: string;
  since: number;
  release(): void;
  cut(): void;
}

/** From one line of the log to the next, in milliseconds. */
const quietMs = 60_000;

/** `listener` names the port in the log. */
export function createStrangerLimit(
  { perNetwork, inTotal, patienceMs = 5_000 }: StrangerBounds,
  { listener, log }: { listener: string; log: Logger },
): StrangerLimit {
  const networks = createConcurrencyLimit(perNetwork);
  const all = createConcurrencyLimit(inTotal);
  /** The oldest of each first. By site: of networks of IPv6 anybody has as many as they like. */
  const sites = new Map<string, Set<Stranger>>();
  let closed = 0;
  let quietUntil = 0;

  /** A network that is refused, or makes room. */
  function warn(reason: 'network' | 'total', network: string): void {
    closed += 1;
    if (performance.now() < quietUntil) return;
    log.warn(
      { listener, reason, network, closed },
      `closed connections before a login: too many of one ${reason === 'network' ? 'network' : 'listener'}`,
    );
    quietUntil = performance.now() + quietMs;
    closed = 0;
  }

  function makeRoom(reason: 'network' | 'total', stranger: Stranger | undefined): void {
    if (!stranger) return;
    warn(reason, stranger.network);
    stranger.release();
    stranger.cut();
  }

  function hadItsTime(stranger: Stranger | undefined): boolean {
    return stranger !== undefined && performance.now() - stranger.since >= patienceMs;
  }

  function findFullest(): Set<Stranger> {
    let fullest = new Set<Stranger>();
    for (const strangers of sites.values()) if (strangers.size > fullest.size) fullest = strangers;
    return fullest;
  }

  function acquireOfNetwork(network: string, site: string): (() => void) | undefined {
    const free = networks.acquire(network);
    if (free) return free;
    const oldest = [...(sites.get(site) ?? [])].find((each) => each.network === network);
    if (hadItsTime(oldest)) makeRoom('network', oldest);
    return networks.acquire(network);
  }

  /** Of the network that holds most of a site, where that is more than another one would hold with one more. */
  function findOldestOfFullest(strangers: Set<Stranger>, network: string): Stranger | undefined {
    const byNetwork = new Map<string, { count: number; oldest: Stranger }>();
    for (const oldest of strangers) {
      const held = byNetwork.get(oldest.network);
      if (held) held.count += 1;
      else byNetwork.set(oldest.network, { count: 1, oldest });
    }
    const [fullest] = [...byNetwork.values()].sort((one, other) => other.count - one.count);
    return fullest && fullest.count > (byNetwork.get(network)?.count ?? 0) + 1 ? fullest.oldest : undefined;
  }

  function acquireOfAll(site: string, network: string): (() => void) | undefined {
    const free = all.acquire('');
    if (free) return free;
    const fullest = findFullest();
    const own = sites.get(site) ?? new Set();
    const [oldest] = fullest;
    if (fullest.size > own.size + 1) makeRoom('total', oldest);
    else {
      // Who shares a site with those that fill the port is not one of them.
      const neighbour = findOldestOfFullest(own, network);
      if (neighbour) makeRoom('total', neighbour);
      else if (hadItsTime(oldest)) makeRoom('total', oldest);
    }
    return all.acquire('');
  }

  return {
    acquire(address, cut) {
      const [network, site] = [toNetwork(address), toSite(address)];
      const releaseNetwork = acquireOfNetwork(network, site);
      if (!releaseNetwork) return void warn('network', network);
      const releaseAll = acquireOfAll(site, network);
      if (!releaseAll) {
        releaseNetwork();
        return void warn('total', network);
      }
      const ofSite = sites.get(site) ?? new Set();
      sites.set(site, ofSite);
      const stranger: Stranger = {
        network,
        since: performance.now(),
        cut,
        release() {
          if (!ofSite.delete(stranger)) return;
          if (ofSite.size === 0) sites.delete(site);
          releaseNetwork();
          releaseAll();
        },
      };
      ofSite.add(stranger);
      return stranger.release;
    },
  };
}
