import { routes } from '@pult/contract';
import { DomainError } from '../../../platform/errors.ts';
import type { Api } from '../../../platform/http/api.ts';
import { pageAnswer } from '../../../platform/http/pages.ts';
import { type PassedCalls, passCallOn } from '../../../platform/node-link/passed-calls.ts';
import type { TunnelListService } from './tunnel-list.service.ts';

export function registerTunnelListRoutes(
  api: Api,
  dependencies: { list: TunnelListService; passedCalls: PassedCalls | undefined; publicUrl: string },
): void {
  const { list, passedCalls, publicUrl } = dependencies;
  api.route(routes.listTunnels, async ({ principal, params, query, request }) => {
    const found = await list.listTunnels(principal, params.organizationId, query);
    return pageAnswer(found, publicUrl, request.url);
  });
  api.route(routes.endTunnel, async ({ principal, params, request, reply }) => {
    const { nodeId } = await list.endTunnel(principal, params, request.ip);
    const gone = new DomainError('tunnel_not_found');
    if (nodeId !== undefined) await passCallOn(passedCalls, { request, reply }, nodeId, gone);
    return undefined;
  });
}
