import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export function webCacheQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.webCacheOf(serialNumber),
    queryFn: ({ signal }) => api('getWebCache', { params: { serialNumber }, signal }),
  });
}

export function useSwitchWebCache(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (enabled: boolean) => api('updateWebCache', { params: { serialNumber }, body: { enabled } }),
    onSuccess: (settings) => client.setQueryData(webCacheQuery(serialNumber).queryKey, settings),
  });
}
