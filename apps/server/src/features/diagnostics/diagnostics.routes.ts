import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { ArchiveStore } from './archives/index.ts';
import type { DiagnosticsService } from './diagnostics.service.ts';
import { openDownload } from './download.ts';

export function registerDiagnosticRoutes(
  api: Api,
  diagnostics: DiagnosticsService,
  store: ArchiveStore,
): void {
  api.route(routes.getDiagnostic, ({ principal, params }) =>
    diagnostics.getDiagnostic(principal, params.serialNumber),
  );

  api.route(routes.listDiagnostics, ({ principal, params }) =>
    diagnostics.listDiagnostics(principal, params.serialNumber),
  );

  api.route(routes.requestDiagnostic, ({ principal, params, request }) =>
    diagnostics.requestDiagnostic(principal, params.serialNumber, request.ip),
  );

  api.route(routes.downloadDiagnostic, async ({ principal, params, request, reply }) => {
    const archive = await diagnostics.getArchive(principal, params.id);
    if (request.method === 'GET') await diagnostics.recordDownload(principal, archive, request.ip);
    // The file is the answer.
    return (await openDownload(request, reply, { archive, store })) as never;
  });
}
