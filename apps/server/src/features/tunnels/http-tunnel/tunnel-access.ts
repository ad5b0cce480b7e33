import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { isSameInterface, nameOf, type WebInterface } from './address.ts';

/** How long a look at the database counts for the many requests of one page, in milliseconds. */
const rememberedFor = 1_000;
const maxRemembered = 10_000;

export interface RememberedAccess {
  /** How many looks are held. */
  readonly size: number;
  /** What a tunnel's cookie gives access to where this web interface is. */
  get(cookie: string, web: WebInterface): Promise<TunnelAccess | undefined>;
  /** Swaps a ticket for a cookie, by which the first page comes right after. */
  redeem(ticket: string, web: WebInterface): ReturnType<TunnelsService['redeemHttpTicket']>;
}

/** Looks tunnels up by their cookie, and remembers it for the moment that a page with its parts takes. */
export function createRememberedAccess({
  tunnels,
  events,
  clock,
}: {
  tunnels: Pick<TunnelsService, 'getByCookie' | 'redeemHttpTicket'>;
  events: Events;
  clock: Clock;
}): RememberedAccess {
  let known = new Map<string, { access: TunnelAccess; until: number }>();
  /** Looks that are under way. */
  let looks = new Map<string, { found: Promise<TunnelAccess | undefined>; since: number }>();
  const forget = () => {
    // New maps: what a look that began earlier finds goes into the old one.
    known = new Map();
    looks = new Map();
  };
  events.subscribe('accessEnded', forget);
  events.subscribe('webCacheSwitched', forget);
  events.subscribe('eventsMissed', forget);

  function remember(memory: typeof known, cookie: string, access: TunnelAccess, since: number): void {
    // The oldest come first: each cookie is of one browser, which may never come back.
    for (const [old, { until }] of memory) {
      if (until > since) break;
      memory.delete(old);
    }
    if (memory.size >= maxRemembered) memory.clear();
    memory.delete(cookie);
    memory.set(cookie, { access, until: since + rememberedFor });
  }

  async function look(cookie: string, web: WebInterface): Promise<TunnelAccess | undefined> {
    const memory = known;
    const since = clock.now().getTime();
    const access = await tunnels.getByCookie(cookie, web);
    if (access) remember(memory, cookie, access, since);
    else memory.delete(cookie);
    return access;
  }

  /** The requests of a page come together: one look is for all of them. Who comes late looks anew, as access may end by time alone. */
  function lookTogether(cookie: string, web: WebInterface): Promise<TunnelAccess | undefined> {
    const together = looks;
    const name = `${nameOf(web)} ${cookie}`;
    const now = clock.now().getTime();
    const begun = together.get(name);
    if (begun && now - begun.since < rememberedFor) return begun.found;
    const found = look(cookie, web).finally(() => {
      if (together.get(name)?.found === found) together.delete(name);
    });
    together.set(name, { found, since: now });
    return found;
  }

  return {
    get size() {
      return known.size;
    },
    async redeem(ticket, web) {
      const memory = known;
      const since = clock.now().getTime();
      const opened = await tunnels.redeemHttpTicket(ticket, web);
      if (opened) remember(memory, opened.cookie, opened.access, since);
      return opened;
    },
    async get(cookie, web) {
      const memory = known;
      const remembered = memory.get(cookie);
      if (remembered && remembered.until > clock.now().getTime()) {
        return isSameInterface(remembered.access, web) ? remembered.access : undefined;
      }
      const access = await lookTogether(cookie, web);
      // Somebody's access ended during the look: it may have been this one's.
      return known === memory ? access : tunnels.getByCookie(cookie, web);
    },
  };
}
