import { createConcurrencyLimit } from '../../../platform/concurrency-limit.ts';
import type { ConnectionHandle, HandleKind } from '../../../platform/connection-handle.ts';
import type { Core } from '../../../platform/core.ts';
import { createRevalidator } from '../../../platform/revalidator.ts';
import type { GrafanaAccess, GrafanaAccessesRepository } from './grafana-accesses.repository.ts';

/** What is open towards Grafana now, so that it can be cut when access ends. */
export interface LiveAccesses {
  /** Registers something open. Undefined while one user, or all of them, have too much open. */
  track(
    access: Pick<GrafanaAccess, 'id' | 'userId'>,
    kind: HandleKind,
    cut: () => void,
  ): ConnectionHandle | undefined;
  /** From now on whatever has lost its access is cut, and what would never end when the server stops. */
  start(): void;
  /** Cuts all. */
  stop(): void;
}

interface OpenConnection {
  kind: HandleKind;
  cut: () => void;
}

/** Requests and WebSockets at once; a browser opens six connections to a host. */
const maxPerUser = 500;
const maxInAll = 10_000;

export function createLiveAccesses(
  { clock, events, log }: Pick<Core, 'clock' | 'events' | 'log'>,
  {
    repository,
    checkIntervalMs = 1_000,
  }: {
    repository: Pick<GrafanaAccessesRepository, 'listHolding'>;
    checkIntervalMs?: number | undefined;
  },
): LiveAccesses {
  const open = new Map<string, Set<OpenConnection>>();
  const users = createConcurrencyLimit(maxPerUser);
  const all = createConcurrencyLimit(maxInAll);

  let unsubscribe = () => {};

  function cutAll(id: string, kind?: HandleKind): void {
    // A copy: what is cut takes itself out.
    for (const connection of [...(open.get(id) ?? [])]) {
      if (kind === undefined || connection.kind === kind) connection.cut();
    }
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
    track({ id, userId }, kind, cut) {
      const releaseUser = users.acquire(userId);
      const releaseAll = releaseUser && all.acquire('');
      if (!releaseUser || !releaseAll) {
        releaseUser?.();
        return undefined;
      }
      const connections = open.get(id) ?? new Set();
      const connection = { kind, cut };
      open.set(id, connections);
      connections.add(connection);
      return {
        // Nobody is shown how much has gone to Grafana.
        count() {},
        // Plain sockets: what waits there holds its sender back.
        watch() {},
        // Of the administrator's own machine, and no device waits for it.
        charge: () => 0,
        end() {
          releaseUser();
          releaseAll();
          connections.delete(connection);
          if (connections.size === 0 && open.get(id) === connections) open.delete(id);
        },
      };
    },
    start() {
      revalidator.start();
      unsubscribe = events.subscribe('serverStopping', () => {
        for (const id of [...open.keys()]) cutAll(id, 'session');
      });
    },
    stop() {
      unsubscribe();
      revalidator.stop();
      for (const id of [...open.keys()]) cutAll(id);
    },
  };
}
