import { toNetwork, toSite } from '../../platform/network.ts';

/** Devices of one network that may wait: 200 behind one address are switched on together. */
const waitingPerNetwork = 250;
/**
 * Those of one site, in shares of the room that is left: alone it takes five sixths of the queue, and however many sites take all that they
 * may, one more finds room (dynamic thresholds; Choudhury and Hahne, 1998).
 */
const sharesOfSite = 5;
/** A network of a crowded site may have so many wait all the same, as long as there is room for other sites. */
const waitingOfModest = 5;
const roomForOthers = 25;

/** Places for those who wait, of which no few addresses have all. */
export interface FairQueue {
  readonly isFull: boolean;
  /** Takes a place, to be released once. Undefined where there is none for that address. */
  enter(address: string): (() => void) | undefined;
}

export function createFairQueue(places: number): FairQueue {
  const networks = new Map<string, number>();
  const sites = new Map<string, number>();
  let taken = 0;

  function mayEnter(ofNetwork: number, ofSite: number): boolean {
    const room = places - taken;
    if (ofNetwork >= waitingPerNetwork) return false;
    return ofSite < sharesOfSite * room || (ofNetwork < waitingOfModest && room > roomForOthers);
  }

  function change(counts: Map<string, number>, name: string, by: 1 | -1): void {
    const count = (counts.get(name) ?? 0) + by;
    if (count === 0) counts.delete(name);
    else counts.set(name, count);
  }

  return {
    get isFull() {
      return taken >= places;
    },
    enter(address) {
      const [network, site] = [toNetwork(address), toSite(address)];
      if (!mayEnter(networks.get(network) ?? 0, sites.get(site) ?? 0)) return undefined;
      const count = (by: 1 | -1) => {
        taken += by;
        change(networks, network, by);
        change(sites, site, by);
      };
      count(1);
      let isReleased = false;
      return () => {
        if (!isReleased) count(-1);
        isReleased = true;
      };
    },
  };
}
