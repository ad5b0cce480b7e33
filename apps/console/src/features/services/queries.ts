import type { Service } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

export function servicesQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.servicesOf(serialNumber),
    queryFn: ({ signal }) => api('listServices', { params: { serialNumber }, signal }),
  });
}

/** `known`: the port of the service to change; without it one is added. */
export function useSaveService(serialNumber: string, known: number | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ port, ...rest }: Service) =>
      known === undefined
        ? api('createService', { params: { serialNumber }, body: { port, ...rest } })
        : api('updateService', { params: { serialNumber, port: String(known) }, body: rest }),
    onSuccess: () => client.invalidateQueries({ queryKey: servicesQuery(serialNumber).queryKey }),
  });
}

export function useDeleteService(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (port: number) => api('deleteService', { params: { serialNumber, port: String(port) } }),
    // Also when it was gone already: then the list is old.
    onSettled: () => client.invalidateQueries({ queryKey: servicesQuery(serialNumber).queryKey }),
  });
}
