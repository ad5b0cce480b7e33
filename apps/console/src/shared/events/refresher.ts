import type { InvalidateQueryFilters, QueryClient } from '@tanstack/react-query';
import { queryKeys } from '../api/query-keys.ts';
import { dependsOnStatus, type Stale } from './apply-changes.ts';
import { readAnew } from './read-anew.ts';

/** So that what changes together is read anew together. */
const batchWindowMs = 200;
/** From one refresh to the next, in milliseconds, and in what the last one took: a busy server is asked less often. */
const pause = 1000;
const pauseFactor = 10;
/** A refresh that takes longer is asked for again when something has changed since. */
const patience = 30_000;

const filters: Record<Stale, readonly InvalidateQueryFilters[]> = {
  all: [
    { queryKey: queryKeys.controllers.all },
    { queryKey: queryKeys.groups.all },
    { queryKey: queryKeys.controllersTotal },
    { queryKey: queryKeys.alerts.all },
    { queryKey: queryKeys.webhooks.all },
  ],
  counts: [{ queryKey: queryKeys.controllers.counts }],
  details: [{ queryKey: queryKeys.controllers.details }],
  lists: [{ queryKey: queryKeys.controllers.lists }],
  listsOfStatus: [{ queryKey: queryKeys.controllers.lists, predicate: dependsOnStatus }],
  alerts: [{ queryKey: queryKeys.alerts.all }, { queryKey: queryKeys.controllers.overviews }],
  total: [{ queryKey: queryKeys.controllersTotal }],
  trees: [{ queryKey: queryKeys.groups.trees }],
  treesOfStatus: [{ queryKey: queryKeys.groups.treesOfStatus }],
  webhooks: [{ queryKey: queryKeys.webhooks.all }],
};

const wait = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Reads anew what has become stale: soon, once for all that changes meanwhile, and never without a pause after the
 * last time. A tab that nobody sees waits until somebody does.
 */
export function createRefresher(client: QueryClient) {
  const stale = new Set<Stale>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isRefreshing = false;
  let notBefore = 0;

  const schedule = () => {
    if (stale.size === 0 || isRefreshing || document.visibilityState === 'hidden') return;
    timer ??= setTimeout(() => void refresh(), Math.max(batchWindowMs, notBefore - performance.now()));
  };
  const refresh = async () => {
    timer = undefined;
    isRefreshing = true;
    const names = stale.has('all') ? (['all'] satisfies Stale[]) : [...stale];
    stale.clear();
    const begun = performance.now();
    const refreshing = names.flatMap((name) => filters[name]).map((filter) => readAnew(client, filter));
    await Promise.race([Promise.allSettled(refreshing), wait(patience)]);
    const ended = performance.now();
    notBefore = ended + Math.max(pause, Math.min(patience, pauseFactor * (ended - begun)));
    isRefreshing = false;
    schedule();
  };

  document.addEventListener('visibilitychange', schedule);
  return {
    request: (names: Iterable<Stale>) => {
      for (const name of names) stale.add(name);
      schedule();
    },
    end: () => {
      document.removeEventListener('visibilitychange', schedule);
      stale.clear();
      clearTimeout(timer);
    },
  };
}
