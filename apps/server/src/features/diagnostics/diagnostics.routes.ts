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
  api.route(routes.getDiagnostic, ({ caller }) => diagnostics.getDiagnostic(caller));
  api.route(routes.listDiagnostics, ({ caller }) => diagnostics.listDiagnostics(caller));
  api.route(routes.requestDiagnostic, ({ caller }) => diagnostics.requestDiagnostic(caller));

  api.route(routes.downloadDiagnostic, async ({ caller, params, request, reply }) => {
    const archive = await diagnostics.getArchive(caller, params.id);
    if (request.method === 'GET') await diagnostics.recordDownload(caller, archive);
    // The file is the answer.
    return (await openDownload(request, reply, { archive, store })) as never;
  });
}
