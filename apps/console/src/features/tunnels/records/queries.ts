import { tunnelStates } from '@pult/contract/values';
import { type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { defineList } from '../../../shared/search/define-list.ts';
import type { SearchOf } from '../../../shared/search/define-search.ts';
import { oneOf, paging } from '../../../shared/search/search-parts.ts';

/** Which tunnels are shown; it lives in the address, so that "back" from a controller leads to the same page. */
export const tunnelsList = defineList('listTunnels', queryKeys.organizations.all, {
  state: oneOf(tunnelStates, 'live'),
  ...paging(),
});

/** While the page is looked at. */
const liveInterval = 5_000;

export function tunnelsQuery(organizationId: string, search: SearchOf<typeof tunnelsList>) {
  const { state } = search;
  return queryOptions({
    ...tunnelsList.query({ organizationId }, search),
    refetchInterval: state === 'live' ? liveInterval : false,
    // Never one of the other list.
    placeholderData: (previous, earlier) =>
      earlier &&
      isOfState(earlier.queryKey, state) &&
      tunnelsList.isPage(earlier.queryKey, { organizationId })
        ? previous
        : undefined,
  });
}

function isOfState(key: QueryKey, state: string): boolean {
  const asked = key.at(-1);
  return typeof asked === 'object' && asked !== null && 'state' in asked && asked.state === state;
}

export function useEndTunnel(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tunnelId: string) => api('endTunnel', { params: { organizationId, tunnelId } }),
    // Refused or not, the list may be out of date.
    onSettled: () => client.invalidateQueries({ queryKey: tunnelsList.keyOf({ organizationId }) }),
  });
}
