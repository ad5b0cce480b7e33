import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { TunnelsService } from './tunnels.service.ts';

export function registerTunnelRoutes(api: Api, tunnels: TunnelsService): void {
  api.route(routes.openTunnel, ({ principal, params, body, request }) =>
    tunnels.openTunnel(principal, { ...params, path: body?.path }, request.ip),
  );
  api.route(routes.forgetHostKey, async ({ principal, params, request }) => {
    await tunnels.forgetHostKey(principal, params.serialNumber, request.ip);
    return undefined;
  });
}
