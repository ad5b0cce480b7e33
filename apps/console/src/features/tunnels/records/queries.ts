import { tunnelStates } from '@pult/contract/values';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { defineList } from '../../../shared/search/define-list.ts';
import { oneOf, paging } from '../../../shared/search/search-parts.ts';

/** Which tunnels are shown; it lives in the address, so that "back" from a controller leads to the same page. */
export const tunnelsList = defineList(
  'listTunnels',
  queryKeys.organizations.all,
  { state: oneOf(tunnelStates, 'live'), ...paging() },
  { apart: ['state'] },
);

export function useEndTunnel(organizationId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (tunnelId: string) => api('endTunnel', { params: { organizationId, tunnelId } }),
    // Refused or not, the list may be out of date.
    onSettled: () => client.invalidateQueries({ queryKey: tunnelsList.keyOf({ organizationId }) }),
  });
}
