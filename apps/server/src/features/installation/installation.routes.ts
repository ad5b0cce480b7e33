import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import { pageAnswer } from '../../platform/http/pages.ts';
import type { Diagnoses } from './diagnoses.ts';
import type { InstallationService } from './installation.service.ts';

export function registerInstallationRoutes(
  api: Api,
  installation: InstallationService,
  { diagnoses, publicUrl }: { diagnoses: Diagnoses; publicUrl: string },
): void {
  api.route(routes.getInstallation, () => installation.getInstallation());
  api.route(routes.getDiagnosis, ({ locale }) => diagnoses.get(locale));
  api.route(routes.listInstallationOrganizations, async ({ query, request }) => {
    const { results, ...found } = await installation.listOrganizations(query);
    const rows = results.map(({ createdAt, ...row }) => ({ ...row, createdAt: createdAt.toISOString() }));
    return pageAnswer({ ...found, results: rows }, publicUrl, request.url);
  });
  api.route(routes.listInstallationNodes, async () => {
    const nodes = await installation.listNodes();
    const results = nodes.map(({ startedAt, leftAt, ...node }) => ({
      ...node,
      startedAt: startedAt.toISOString(),
      leftAt: leftAt?.toISOString() ?? null,
    }));
    return { results };
  });
  api.route(routes.listEndingCertificates, async ({ caller }) => {
    const ending = await installation.listEndingCertificates(caller);
    return {
      results: ending.map(({ name, validUntil }) => ({ name, validUntil: validUntil.toISOString() })),
    };
  });
  api.route(routes.createBackup, ({ caller }) => installation.createBackup(caller));
  api.route(routes.resumeAgentUpdates, ({ caller }) => installation.resumeAgentUpdates(caller));
  api.route(routes.retryJob, ({ caller, params }) => installation.retryJob(caller, params.jobId));
}
