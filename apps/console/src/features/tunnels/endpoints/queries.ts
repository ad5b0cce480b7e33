import type { NamedEndpoint } from '@pult/contract';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';

export function endpointsQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.endpointsOf(serialNumber),
    queryFn: ({ signal }) => api('listServices', { params: { serialNumber }, signal }),
  });
}

/** `known`: the port of the endpoint to change; without it one is added. */
export function useSaveEndpoint(serialNumber: string, known: number | undefined) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ port, ...rest }: Omit<NamedEndpoint, 'isReserved' | 'oldTls'>) =>
      known === undefined
        ? api('createService', { params: { serialNumber }, body: { port, ...rest } })
        : api('updateService', { params: { serialNumber, port: String(known) }, body: rest }),
    onSuccess: () => client.invalidateQueries({ queryKey: endpointsQuery(serialNumber).queryKey }),
    // A reserved port: the form says so at its field.
    meta: { errors: { stays: ['port_reserved'] } },
  });
}

export function useDeleteEndpoint(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (port: number) => api('deleteService', { params: { serialNumber, port: String(port) } }),
    // Also when it was gone already: then the list is old.
    onSettled: () => client.invalidateQueries({ queryKey: endpointsQuery(serialNumber).queryKey }),
  });
}
