import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** Of one month, such as `2026-11`; while another loads, the last one of the same controller stays. */
export function trafficQuery(serialNumber: string, month: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.trafficOf(serialNumber, month),
    queryFn: ({ signal }) =>
      api('getControllerTraffic', { params: { serialNumber }, query: { month }, signal }),
    placeholderData: (previous, query) =>
      query?.queryKey[2] === serialNumber.toUpperCase() ? previous : undefined,
    // Devices are counted every five minutes.
    staleTime: 60_000,
  });
}

export function groupBudgetQuery(groupId: string) {
  return queryOptions({
    queryKey: queryKeys.groups.trafficBudget(groupId),
    queryFn: ({ signal }) => api('getGroupTrafficBudget', { params: { groupId }, signal }),
  });
}

/** Null takes the budget away. */
export function useSetControllerBudget(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (bytes: number | null) =>
      api('setControllerTrafficBudget', { params: { serialNumber }, body: { bytes } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.controllers.traffic }),
  });
}

export function useSwitchSaver(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => api('setTrafficSaver', { params: { serialNumber }, body: { enabled } }),
    onSuccess: () => client.invalidateQueries({ queryKey: queryKeys.controllers.traffic }),
  });
}

export function useSetGroupBudget(groupId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (bytes: number | null) =>
      api('setGroupTrafficBudget', { params: { groupId }, body: { bytes } }),
    // Those of other groups may rest on it.
    onSuccess: () =>
      Promise.all(
        [queryKeys.controllers.traffic, queryKeys.groups.trafficBudgets].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  });
}
