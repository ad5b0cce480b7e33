import { tunnelStates } from '@pult/contract/values';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { defineSearch, type SearchOf } from '../../../shared/search/define-search.ts';
import { oneOf, paging } from '../../../shared/search/search-parts.ts';

/** Which tunnels are shown; it lives in the address, so that "back" from a controller leads to the same page. */
export const tunnelsSearch = defineSearch({ state: oneOf(tunnelStates, 'live'), ...paging() });

/** While the page is looked at. */
const liveInterval = 5_000;

export function tunnelsQuery(organizationId: string, search: SearchOf<typeof tunnelsSearch>) {
  const { state } = search;
  const query = tunnelsSearch.ask(search);
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
