import { buildPath, type DiagnosticState } from '@pult/contract';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import type { CallErrors } from '../../shared/api/errors.ts';
import { followDownload } from '../../shared/api/follow-download.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';

/** The tab shows in place whatever fails (spec-coverage: Swallowed:). */
const errors: CallErrors = { inPlace: 'all' };

/** Newest first. Read anew with every event about the controller's diagnostics. */
export function diagnosticsQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.diagnosticsOf(serialNumber),
    queryFn: ({ signal }) => api('listDiagnostics', { params: { serialNumber }, signal }),
    meta: { errors },
  });
}

/** How the last ones stand. Read anew with the others. */
export function diagnosticQuery(serialNumber: string) {
  return queryOptions({
    queryKey: queryKeys.controllers.diagnosticsOf(serialNumber, 'last'),
    queryFn: ({ signal }) => api('getDiagnostic', { params: { serialNumber }, signal }),
    meta: { errors },
  });
}

type Empty<State> = { [Field in keyof State]: null };
const empty: Empty<DiagnosticState> = { status: null, id: null, created: null };

/** How the last ones stand: empty as long as nobody knows, after a failure too (spec-coverage: Swallowed:). */
export function useDiagnostic(serialNumber: string): DiagnosticState | Empty<DiagnosticState> {
  const { data, isError } = useQuery(diagnosticQuery(serialNumber));
  return data && !isError ? data : empty;
}

export function useRequestDiagnostic(serialNumber: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api('requestDiagnostic', { params: { serialNumber } }),
    meta: { errors },
    // After a refusal too: somebody else may have been first.
    onSettled: () =>
      client.invalidateQueries({ queryKey: queryKeys.controllers.diagnosticsOf(serialNumber) }),
  });
}

export function useDownloadDiagnostic() {
  return useMutation({
    mutationFn: (id: string) => followDownload('downloadDiagnostic', downloadPath(id)),
  });
}

export function downloadPath(id: string): string {
  return buildPath('downloadDiagnostic', { id });
}
