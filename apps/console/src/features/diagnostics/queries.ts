import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** Newest first. Read anew with every event about the controller's diagnostics. */
export function diagnosticsQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.diagnosticsOf(serialNumber),
    queryFn: ({ signal }) => api('listDiagnostics', { params: { serialNumber }, signal }),
  });
}

/** Its failure is shown where it was asked for: no toast (spec-coverage: Swallowed:). */
export function useRequestDiagnostic(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('requestDiagnostic', { params: { serialNumber } }),
    // After a refusal too: somebody else may have been first.
    onSettled: () =>
      client.invalidateQueries({ queryKey: queryKeys.controllers.diagnosticsOf(serialNumber) }),
  });
}
