import type { Clock } from '../../../platform/clock.ts';
import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { ConnectionHandle } from '../../../platform/connection-handle.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Logger } from '../../../platform/log.ts';
import { createRevalidator } from '../../../platform/revalidator.ts';
import type { GrafanaAccess, GrafanaAccessesRepository } from './grafana-accesses.repository.ts';

/** What is open towards Grafana now, so that it can be cut when access ends. */
export interface LiveAccesses {
  /** Registers something open. Undefined while one user, or all of them, have too much open. */
  track(access: Pick<GrafanaAccess, 'id' | 'userId'>, cut: () => void): ConnectionHandle | undefined;
  /** From now on whatever has lost its access is cut. */
  start(): void;
  /** Cuts all. */
  stop(): void;
}

/** Requests and WebSockets at once; a browser opens six connections to a host. */
const maxPerUser = 500;
const maxInAll = 10_000;

export function createLiveAccesses(dependencies: {
  repository: Pick<GrafanaAccessesRepository, 'listHolding'>;
  events: Events;
  log: Logger;
  clock: Clock;
  checkIntervalMs?: number | undefined;
}): LiveAccesses {
  const { repository, events, log, clock, checkIntervalMs = 1_000 } = dependencies;
  const open = new Map<string, Set<() => void>>();
  const users = createConcurrencyLimit(maxPerUser);
  const all = createConcurrencyLimit(maxInAll);

  function cutAll(id: string): void {
    // A copy: what is cut takes itself out.
    for (const cut of [...(open.get(id) ?? [])]) cut();
  }

  const revalidator = createRevalidator({
    async revalidate() {
      const ids = [...open.keys()];
      if (ids.length === 0) return;
      const holding = new Set(await repository.listHolding(ids, clock.now()));
      for (const id of ids) if (!holding.has(id)) cutAll(id);
    },
    events,
    intervalMs: checkIntervalMs,
    onFailure: (error) => log.error({ err: error }, 'open dashboards not checked'),
  });

  return {
    track({ id, userId }, cut) {
      const releaseUser = users.acquire(userId);
      const releaseAll = releaseUser && all.acquire('');
      if (!releaseUser || !releaseAll) {
        releaseUser?.();
        return undefined;
      }
      const cuts = open.get(id) ?? new Set();
      open.set(id, cuts);
      cuts.add(cut);
      return {
        // Nobody is shown how much has gone to Grafana.
        count() {},
        end() {
          releaseUser();
          releaseAll();
          cuts.delete(cut);
          if (cuts.size === 0 && open.get(id) === cuts) open.delete(id);
        },
      };
    },
    start: () => revalidator.start(),
    stop() {
      revalidator.stop();
      for (const id of [...open.keys()]) cutAll(id);
    },
  };
}
