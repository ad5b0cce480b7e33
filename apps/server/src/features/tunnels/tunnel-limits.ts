import { type ConcurrencyLimit, createConcurrencyLimit } from '../../platform/concurrency-limit.ts';
import type { ReasonOf } from '../../platform/refusal-reasons.ts';

/** Things that may be open at once: requests, WebSockets, terminals, streams and channels. */
export interface TunnelLimits {
  perUser: number;
  /** Of one user on one controller, so that they leave room there for others. */
  perUserOfController: number;
  perController: number;
  inAll: number;
}

type Limit = ReasonOf<'tunnels_limit_reached'>;

/** A browser opens six connections to a host; a page with its WebSockets in a few tabs, on a few controllers, is far below. */
const defaults: TunnelLimits = {
  perUser: 500,
  perUserOfController: 250,
  perController: 500,
  inAll: 10_000,
};

/** Limits what is open by user, by controller and in all. */
export function createTunnelLimits({ perUser, perUserOfController, perController, inAll } = defaults) {
  const users = createConcurrencyLimit(perUser);
  const shares = createConcurrencyLimit(perUserOfController);
  const controllers = createConcurrencyLimit(perController);
  const all = createConcurrencyLimit(inAll);
  return {
    /** The returned function releases what was acquired, once. Otherwise the limit that is reached. */
    acquire({
      userId,
      controllerId,
    }: {
      userId: string;
      controllerId: string | undefined;
    }): (() => void) | Limit {
      const wanted: [ConcurrencyLimit, string, Limit][] = [[users, userId, 'user']];
      if (controllerId !== undefined) {
        const share = `${userId} ${controllerId}`;
        wanted.push([shares, share, 'user_at_controller'], [controllers, controllerId, 'controller']);
      }
      wanted.push([all, '', 'all']);
      const acquired: (() => void)[] = [];
      const releaseAll = () => {
        for (const release of acquired) release();
      };
      for (const [limit, name, reason] of wanted) {
        const release = limit.acquire(name);
        if (!release) {
          releaseAll();
          return reason;
        }
        acquired.push(release);
      }
      return releaseAll;
    },
  };
}
