import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import type { Chosen } from '../groups/index.ts';

/** Read anew with every event about the controller. */
export function agentUpdateQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.agentUpdateOf(serialNumber),
    queryFn: ({ signal }) => api('getAgentUpdate', { params: { serialNumber }, signal }),
    meta: { errors: { inPlace: 'all' } },
  });
}

export function useRequestAgentUpdate(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { mayDowngrade?: boolean }) =>
      api('requestAgentUpdate', { params: { serialNumber }, body }),
    // After a refusal too: somebody else may have been first.
    onSettled: () =>
      client.invalidateQueries({ queryKey: queryKeys.controllers.agentUpdateOf(serialNumber) }),
  });
}

/** Of those of many that have an older version than the server. */
export function useRequestAgentUpdates() {
  return useMutation({ mutationFn: (body: Chosen) => api('requestAgentUpdates', { body }) });
}
