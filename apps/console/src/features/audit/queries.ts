import { ApiError, buildPath } from '@pult/contract';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { api } from '../../shared/api/client.ts';
import { observedFetch } from '../../shared/api/connection.ts';
import { queryKeys } from '../../shared/api/query-keys.ts';
import { readRequestLocale } from '../../shared/i18n/locale.ts';
import { type AuditSearch, auditFilters } from './audit-search.ts';
import { saveFile } from './save-file.ts';

export function auditQuery(organizationId: string, search: AuditSearch) {
  const query = { ...auditFilters(search), page: search.page, page_size: search.pageSize };
  return queryOptions({
    queryKey: queryKeys.organizations.audit(organizationId, query),
    queryFn: ({ signal }) => api('listAuditEvents', { params: { organizationId }, query, signal }),
    // While the next page loads the last one stays, but never one of another organization.
    placeholderData: (previous, earlier) => (earlier?.queryKey[2] === organizationId ? previous : undefined),
  });
}

/** Saves what the filters show, all pages of it, as a file. A plain link cannot ask for CSV, nor for a language. */
export function useDownloadAudit(organizationId: string, search: AuditSearch) {
  return useMutation({
    mutationFn: async () => {
      const url = buildPath('listAuditEvents', { organizationId }, auditFilters(search));
      const response = await observedFetch(url, {
        credentials: 'include',
        headers: { accept: 'text/csv', 'accept-language': readRequestLocale() },
      });
      if (!response.ok) throw new ApiError('listAuditEvents', response, undefined);
      const disposition = response.headers.get('content-disposition') ?? '';
      const name = /filename="([\w.-]+)"/.exec(disposition)?.[1] ?? 'audit-log.csv';
      saveFile(await response.blob(), name);
    },
  });
}
