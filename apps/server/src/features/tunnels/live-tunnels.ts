import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Logger } from '../../platform/log.ts';
import type { TunnelsRepository } from './tunnels.repository.ts';

export type LiveKind = 'request' | 'session';

interface LiveThing {
  kind: LiveKind;
  cut: () => void;
}

/** Everything that is open through tunnels now, so that it can be cut when access ends. */
export interface LiveTunnels {
  /**
   * Registers something open; the returned function takes it out once it has closed. A `request` ends by
   * itself, so a stopping server lets it finish; a `session` does not.
   */
  track(tunnelId: string, kind: LiveKind, cut: () => void): () => void;
  /** Looks which tunnels still hold and cuts what does not. */
  check(): Promise<void>;
  /** Checks at every end of access, and every 2 s for what no event tells (an expiry, another server). */
  start(): void;
  stop(): void;
}

const checkInterval = 2_000;

export function createLiveTunnels(dependencies: {
  repository: TunnelsRepository;
  events: Events;
  log: Logger;
  clock: Clock;
}): LiveTunnels {
  const { repository, events, log, clock } = dependencies;
  const open = new Map<string, Set<LiveThing>>();
  const report = (error: Error) => log.error({ error: error.message }, 'live tunnels not checked');
  let timer: NodeJS.Timeout | undefined;

  function cutAll(tunnelId: string, kind?: LiveKind): void {
    for (const thing of open.get(tunnelId) ?? []) {
      if (kind === undefined || thing.kind === kind) thing.cut();
    }
  }

  const live: LiveTunnels = {
    track(tunnelId, kind, cut) {
      const things = open.get(tunnelId) ?? new Set();
      open.set(tunnelId, things);
      const thing = { kind, cut };
      things.add(thing);
      return () => {
        things.delete(thing);
        if (things.size === 0 && open.get(tunnelId) === things) open.delete(tunnelId);
      };
    },
    async check() {
      const ids = [...open.keys()];
      if (ids.length === 0) return;
      const holding = new Set(await repository.listHolding(ids, clock.now()));
      for (const id of ids) if (!holding.has(id)) cutAll(id);
    },
    start() {
      events.subscribe('accessEnded', () => void live.check().catch(report));
      events.subscribe('serverStopping', () => {
        for (const id of [...open.keys()]) cutAll(id, 'session');
      });
      timer = setInterval(() => void live.check().catch(report), checkInterval);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
      for (const id of [...open.keys()]) cutAll(id);
    },
  };
  return live;
}
