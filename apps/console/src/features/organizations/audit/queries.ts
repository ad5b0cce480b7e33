import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../../shared/api/client.ts';
import { downloadCsv } from '../../../shared/api/download-csv.ts';
import { queryKeys } from '../../../shared/api/query-keys.ts';
import { type AuditSearch, auditFilters, auditSearch } from './audit-search.ts';

export function auditQuery(organizationId: string, search: AuditSearch) {
  const query = auditSearch.ask(search);
  return queryOptions({
    queryKey: queryKeys.organizations.audit(organizationId, query),
    queryFn: ({ signal }) => api('listAuditEvents', { params: { organizationId }, query, signal }),
    // While the next page loads the last one stays, but never one of another organization.
    placeholderData: (previous, earlier) => (earlier?.queryKey[2] === organizationId ? previous : undefined),
  });
}

/** Saves what the filters show, all pages of it, as a file. */
export function useDownloadAudit(organizationId: string, search: AuditSearch) {
  return useMutation({
    mutationFn: () =>
      downloadCsv(
        'listAuditEvents',
        { params: { organizationId }, query: auditFilters(search) },
        'audit-log.csv',
      ),
  });
}
