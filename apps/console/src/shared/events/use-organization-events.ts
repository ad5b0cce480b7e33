import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery, organizationQuery, organizationsQuery } from '../api/queries.ts';
import { applyChanges } from './apply-changes.ts';
import { openEventStream, type StreamHandlers } from './event-stream.ts';
import { createRefresher } from './refresher.ts';

/** Keeps controllers, groups and counts of the organization current while mounted. Undefined: no organization is open. */
export function useOrganizationEvents(organizationId: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (organizationId === undefined) return;
    const refresher = createRefresher(client);
    // Pages of the organization are read after it.
    const cursor = client.getQueryData(organizationQuery(organizationId).queryKey)?.eventCursor;
    const handlers: StreamHandlers = {
      onChanges: (changes) => refresher.request(applyChanges(client, changes)),
      onGap: () => refresher.request(['all']),
      // Tells a dead session (401) from a server that is away; the stream itself says neither.
      onFailure: () => void client.refetchQueries({ queryKey: currentUserQuery.queryKey }),
      // Tells a member who was removed meanwhile, or has no second factor where one is required now; the error catalogue
      // leads away. The list knows then which organizations are left to listen to.
      onRefusal: () => {
        void client.invalidateQueries({ queryKey: organizationsQuery.queryKey });
        const query = { ...organizationQuery(organizationId), staleTime: 0, meta: { isBackground: true } };
        void client.fetchQuery(query).catch(() => undefined);
      },
    };
    const close = openEventStream(organizationId, handlers, cursor);
    return () => {
      close();
      refresher.end();
    };
  }, [client, organizationId]);
}
