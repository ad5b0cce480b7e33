import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery, organizationQuery } from '../api/queries.ts';
import { queryKeys } from '../api/query-keys.ts';
import { applyEvent, type Stale } from './apply-event.ts';
import { openEventStream } from './event-stream.ts';

/** A fleet that comes back sends thousands of events; counts and lists are read anew at most this often. */
const refreshInterval = 2000;

const staleKeys = {
  counts: queryKeys.controllers.counts,
  lists: queryKeys.controllers.lists,
  total: queryKeys.controllersTotal,
  trees: queryKeys.groups.trees,
  treesOfStatus: queryKeys.groups.treesOfStatus,
} as const satisfies Record<Stale, readonly string[]>;

/** The first refresh is due a moment after the event, so that a burst makes one. */
function createRefresher(client: QueryClient) {
  const stale = new Set<Stale>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = () => {
    timer = undefined;
    for (const name of stale) void client.invalidateQueries({ queryKey: staleKeys[name] });
    stale.clear();
  };
  return {
    request: (names: readonly Stale[]) => {
      for (const name of names) stale.add(name);
      timer ??= setTimeout(refresh, refreshInterval);
    },
    end: () => clearTimeout(timer),
  };
}

/** Keeps controllers, groups and counts of the organization current while mounted. Undefined: no organization is open. */
export function useOrganizationEvents(organizationId: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (organizationId === undefined) return;
    const refresher = createRefresher(client);
    const close = openEventStream(organizationId, {
      onEvent: (event) => refresher.request(applyEvent(client, event)),
      onResume: () => {
        void client.invalidateQueries({ queryKey: queryKeys.controllers.all });
        void client.invalidateQueries({ queryKey: queryKeys.groups.all });
      },
      // Tells a dead session (401) from a server that is away; the stream itself says neither.
      onFailure: () => void client.refetchQueries({ queryKey: currentUserQuery.queryKey }),
      // Tells a member who was removed meanwhile; the error catalogue leads away.
      onRefusal: () => {
        const query = { ...organizationQuery(organizationId), staleTime: 0, meta: { isBackground: true } };
        void client.fetchQuery(query).catch(() => undefined);
      },
    });
    return () => {
      close();
      refresher.end();
    };
  }, [client, organizationId]);
}
