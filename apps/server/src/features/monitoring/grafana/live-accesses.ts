import type { Clock } from '../../../platform/clock.ts';
import type { Events } from '../../../platform/events/events.ts';
import type { Logger } from '../../../platform/log.ts';
import type { GrafanaAccessesRepository } from './grafana-accesses.repository.ts';

/** What is open towards Grafana now, so that it can be cut when access ends. */
export interface LiveAccesses {
  /** Registers something open; the returned function takes it out once it has closed. */
  track(accessId: string, cut: () => void): () => void;
  /** Checks at every end of access, and every second for what no event tells (an expiry, another server). */
  start(): void;
  /** Cuts all. */
  stop(): void;
}

export function createLiveAccesses(dependencies: {
  repository: Pick<GrafanaAccessesRepository, 'listHolding'>;
  events: Events;
  log: Logger;
  clock: Clock;
  checkIntervalMs?: number | undefined;
}): LiveAccesses {
  const { repository, events, log, clock, checkIntervalMs = 1_000 } = dependencies;
  const open = new Map<string, Set<() => void>>();
  let isRunning = false;
  let isStale = false;
  let end = () => {};

  function cutAll(id: string): void {
    // A copy: what is cut takes itself out.
    for (const cut of [...(open.get(id) ?? [])]) cut();
  }

  async function checkUntilFresh(): Promise<void> {
    try {
      while (isStale) {
        isStale = false;
        const ids = [...open.keys()];
        if (ids.length === 0) continue;
        const holding = new Set(await repository.listHolding(ids, clock.now()));
        for (const id of ids) if (!holding.has(id)) cutAll(id);
      }
    } catch (error) {
      log.error({ error: error instanceof Error ? error.message : error }, 'open dashboards not checked');
    } finally {
      isRunning = false;
    }
  }

  /** One at a time; who asks during one gets a fresh look after it. */
  function check(): void {
    isStale = true;
    if (isRunning) return;
    isRunning = true;
    void checkUntilFresh();
  }

  return {
    track(accessId, cut) {
      const cuts = open.get(accessId) ?? new Set();
      open.set(accessId, cuts);
      cuts.add(cut);
      return () => {
        cuts.delete(cut);
        if (cuts.size === 0 && open.get(accessId) === cuts) open.delete(accessId);
      };
    },
    start() {
      const timer = setInterval(check, checkIntervalMs);
      timer.unref();
      const unsubscribe = events.subscribe('accessEnded', check);
      end = () => {
        clearInterval(timer);
        unsubscribe();
      };
    },
    stop() {
      end();
      for (const id of [...open.keys()]) cutAll(id);
    },
  };
}
