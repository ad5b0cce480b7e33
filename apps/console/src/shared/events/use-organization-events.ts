import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { currentUserQuery, organizationQuery } from '../api/queries.ts';
import { applyChanges } from './apply-changes.ts';
import { openEventStream } from './event-stream.ts';
import { createRefresher } from './refresher.ts';

/** Keeps controllers, groups and counts of the organization current while mounted. Undefined: no organization is open. */
export function useOrganizationEvents(organizationId: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (organizationId === undefined) return;
    const refresher = createRefresher(client);
    const close = openEventStream(organizationId, {
      onChanges: (changes) => refresher.request(applyChanges(client, changes)),
      onGap: () => refresher.request(['all']),
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
