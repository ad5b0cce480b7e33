import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { TunnelsService } from './tunnels.service.ts';

export function registerTunnelRoutes(api: Api, tunnels: TunnelsService): void {
  api.route(routes.openTunnel, ({ caller, params, body }) =>
    tunnels.openTunnel(caller, { protocol: params.protocol, path: body?.path }),
  );
  api.route(routes.forgetHostKey, ({ caller }) => tunnels.forgetHostKey(caller));
}
