import { routes } from '@pult/contract';
import type { Clock } from '../../../platform/clock.ts';
import type { Api } from '../../../platform/http/api.ts';
import { pageAnswer } from '../../../platform/http/pages.ts';
import { createAuditCsv } from './audit-csv.ts';
import type { AuditLogService } from './audit-log.service.ts';

const csv = 'text/csv';

export function registerAuditLogRoutes(
  api: Api,
  auditLog: AuditLogService,
  { publicUrl, clock }: { publicUrl: string; clock: Clock },
): void {
  api.route(routes.listAuditEvents, async ({ caller, query, locale, request, reply }) => {
    void reply.header('vary', 'accept, accept-language');
    const wanted = (request.headers.accept ?? '').split(',').map((part) => part.split(';')[0]?.trim());
    if (wanted.some((type) => type?.toLowerCase() === csv)) {
      const events = await auditLog.exportEvents(caller, query);
      const name = `audit-log-${clock.now().toISOString().slice(0, 10)}.csv`;
      void reply.headers({
        'content-type': `${csv}; charset=utf-8`,
        'content-disposition': `attachment; filename="${name}"`,
      });
      // The file instead of the list that the contract declares for JSON.
      return createAuditCsv(events, { locale, timeZone: query.time_zone }) as never;
    }
    const found = await auditLog.listEvents(caller, query);
    return pageAnswer(found, publicUrl, request.url);
  });
}
