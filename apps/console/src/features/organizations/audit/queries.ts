import { useMutation } from '@tanstack/react-query';
import { downloadCsv } from '../../../shared/api/download-csv.ts';
import { type AuditSearch, auditFilters } from './audit-search.ts';

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
