import type { Clock } from '../../platform/clock.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Logger } from '../../platform/log.ts';
import type { TunnelsRepository } from './tunnels.repository.ts';

/** A `request` ends by itself, so a stopping server lets it finish; a `session` does not. */
export type LiveKind = 'request' | 'session';
export type CutReason = 'access_ended' | 'server_stopping';

interface LiveThing {
  kind: LiveKind;
  cut: (reason: CutReason) => void;
}

/** Everything that is open through tunnels now, so that it can be cut when access ends. */
export interface LiveTunnels {
  /** Registers something open; the returned function takes it out once it has closed. */
  track(tunnelId: string, kind: LiveKind, cut: LiveThing['cut']): () => void;
  /** How many things are open. */
  readonly size: number;
  /** Looks which tunnels still hold and cuts what does not. */
  check(): Promise<void>;
  /** Checks at every end of access, and again and again for what no event tells (an expiry, another server). */
  start(): void;
  stop(): void;
}

export function createLiveTunnels(dependencies: {
  repository: Pick<TunnelsRepository, 'listHolding'>;
  events: Events;
  log: Logger;
  clock: Clock;
  /** Together with what the tunnel host remembers it keeps the promise of 2 s. */
  checkIntervalMs?: number | undefined;
}): LiveTunnels {
  const { repository, events, log, clock, checkIntervalMs = 1_000 } = dependencies;
  const open = new Map<string, Set<LiveThing>>();
  const endings: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStale = false;

  function cutAll(reason: CutReason, tunnelId: string, kind?: LiveKind): void {
    // A copy: what is cut takes itself out.
    for (const thing of [...(open.get(tunnelId) ?? [])]) {
      if (kind === undefined || thing.kind === kind) thing.cut(reason);
    }
  }

  async function checkOnce(): Promise<void> {
    const ids = [...open.keys()];
    if (ids.length === 0) return;
    const holding = new Set(await repository.listHolding(ids, clock.now()));
    for (const id of ids) if (!holding.has(id)) cutAll('access_ended', id);
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
    get size() {
      let size = 0;
      for (const things of open.values()) size += things.size;
      return size;
    },
    check() {
      // One at a time, however many ask and however slow the database; who asked meanwhile gets a fresh look.
      isStale = true;
      running ??= (async () => {
        try {
          while (isStale) {
            isStale = false;
            await checkOnce();
          }
        } finally {
          running = undefined;
        }
      })();
      return running;
    },
    start() {
      const check = () =>
        live.check().catch((error: Error) => log.error({ error: error.message }, 'live tunnels not checked'));
      endings.push(
        events.subscribe('accessEnded', () => void check()),
        events.subscribe('serverStopping', () => {
          for (const id of [...open.keys()]) cutAll('server_stopping', id, 'session');
        }),
      );
      timer = setInterval(() => void check(), checkIntervalMs);
      timer.unref();
    },
    stop() {
      clearInterval(timer);
      for (const end of endings.splice(0)) end();
      for (const id of [...open.keys()]) cutAll('server_stopping', id);
    },
  };
  return live;
}
