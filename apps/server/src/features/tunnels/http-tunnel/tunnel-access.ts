import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { TunnelAccess } from '../tunnels.repository.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { isSameInterface, type WebInterface } from '../web-interface.ts';

/** How long a look at the database counts for the many requests of one page, in milliseconds. */
const rememberedFor = 1_000;
const maxRemembered = 10_000;

export interface RememberedAccess {
  /** What a tunnel's cookie gives access to where this web interface is. */
  get(cookie: string, web: WebInterface): Promise<TunnelAccess | undefined>;
}

/** Looks tunnels up by their cookie, and remembers it for the moment that a page with its parts takes. */
export function createRememberedAccess({
  tunnels,
  events,
  clock,
}: {
  tunnels: Pick<TunnelsService, 'getByCookie'>;
  events: Events;
  clock: Clock;
}): RememberedAccess {
  let known = new Map<string, { access: TunnelAccess; until: number }>();
  events.subscribe('accessEnded', () => {
    // A new map: what a look that began earlier finds goes into the old one.
    known = new Map();
  });

  return {
    async get(cookie, web) {
      const memory = known;
      const now = clock.now().getTime();
      const remembered = memory.get(cookie);
      if (remembered && remembered.until > now) {
        return isSameInterface(remembered.access, web) ? remembered.access : undefined;
      }
      const access = await tunnels.getByCookie(cookie, web);
      if (memory.size >= maxRemembered) memory.clear();
      if (access) memory.set(cookie, { access, until: now + rememberedFor });
      else memory.delete(cookie);
      // Somebody's access ended during the look: it may have been this one's.
      return known === memory ? access : tunnels.getByCookie(cookie, web);
    },
  };
}
