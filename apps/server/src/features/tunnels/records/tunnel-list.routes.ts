import { routes } from '@pult/contract';
import { type PassedCalls, passCallOn } from '../../../platform/cluster/link/passed-calls.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { pageAnswer } from '../../../platform/http/pages.ts';
import type { TunnelListService } from './tunnel-list.service.ts';

export function registerTunnelListRoutes(
  api: Api,
  dependencies: { list: TunnelListService; passedCalls: PassedCalls | undefined; publicUrl: string },
): void {
  const { list, passedCalls, publicUrl } = dependencies;
  api.route(routes.listTunnels, async ({ caller, query, request }) => {
    const found = await list.listTunnels(caller, query);
    return pageAnswer(found, publicUrl, request.url);
  });
  api.route(routes.endTunnel, async ({ caller, params, request, reply }) => {
    const { nodeId } = await list.endTunnel(caller, params.tunnelId);
    const gone = new DomainError('tunnel_not_found');
    if (nodeId !== undefined) await passCallOn(passedCalls, { request, reply }, nodeId, gone);
  });
}
