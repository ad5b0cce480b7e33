import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export interface TunnelSearch {
  state: 'live' | 'ended';
  page: number;
  pageSize: number;
}

/** While the page is looked at. */
const liveInterval = 5_000;

export function tunnelsQuery(organizationId: string, { state, page, pageSize }: TunnelSearch) {
  const query = { state, page, page_size: pageSize };
  return queryOptions({
    queryKey: [...queryKeys.organizations.tunnels(organizationId), query],
    queryFn: ({ signal }) => api('listTunnels', { params: { organizationId }, query, signal }),
    refetchInterval: state === 'live' ? liveInterval : false,
    // While the next page loads the last one stays, but never one of the other list.
    placeholderData: (previous, earlier) => {
      const before = earlier?.queryKey.at(-1);
      const isSameList = typeof before === 'object' && before !== null && before.state === state;
      return isSameList && earlier?.queryKey[2] === organizationId ? previous : undefined;
    },
  });
}

export function useEndTunnel(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tunnelId: string) => api('endTunnel', { params: { organizationId, tunnelId } }),
    // Refused or not, the list may be out of date.
    onSettled: () => client.invalidateQueries({ queryKey: queryKeys.organizations.tunnels(organizationId) }),
  });
}
