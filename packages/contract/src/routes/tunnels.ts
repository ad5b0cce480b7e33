import { z } from 'zod';
import type { Route } from '../route.ts';
import { listTunnelsQuery, tunnelPage } from '../schemas/live-tunnels.ts';
import { id } from '../schemas/text.ts';
import { openTunnelAnswer, openTunnelRequest } from '../schemas/tunnels.ts';
import { controllerParams } from './controllers.ts';

/** Behind the name of the server node that has it, where there are several. */
const transferId = z.string().regex(/^([a-z0-9]{1,32}\.)?[0-9a-f-]{36}$/);

export const tunnelRoutes = {
  openTunnel: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/tcp-tunnels/{protocol}/',
    access: 'user',
    permission: 'tunnels.open',
    on: 'controller',
    // Not an enumeration: a named endpoint has its port here, and an unknown protocol an error of its own.
    params: controllerParams.extend({ protocol: z.string() }),
    body: openTunnelRequest,
    status: 200,
    answer: openTunnelAnswer,
    errors: [
      'controller_not_found',
      'protocol_unsupported',
      'port_reserved',
      'controller_offline',
      'node_unreachable',
      'tunnels_limit_reached',
      'tunnel_host_unavailable',
      'tunnel_ports_exhausted',
    ],
    summary:
      'Open a tunnel to the web interface, the SSH server, a named service or a TCP port of a controller',
  },
  forgetHostKey: {
    method: 'DELETE',
    path: '/api/v1/controllers/{serialNumber}/ssh-host-key/',
    access: 'user',
    permission: 'tunnels.manage',
    on: 'controller',
    params: controllerParams,
    status: 204,
    errors: ['controller_not_found'],
    summary: 'Forget the host key of a controller’s SSH server: the next login pins the one it meets',
  },
  downloadTerminalFile: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/files/{transferId}/',
    access: 'user',
    permission: 'tunnels.open',
    on: 'controller',
    params: controllerParams.extend({ transferId }),
    status: 200,
    answer: z.string(),
    kind: 'file',
    errors: ['controller_not_found', 'file_transfer_not_found'],
    summary: 'A file that the file panel of an open terminal has asked for; once, within a minute',
  },
  listTunnels: {
    method: 'GET',
    path: '/api/v1/organizations/{organizationId}/tunnels/',
    access: 'user',
    permission: 'tunnels.open',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: z.object({ organizationId: id }),
    query: listTunnelsQuery,
    status: 200,
    answer: tunnelPage,
    errors: ['organization_not_found'],
    summary: 'Tunnels to the controllers of an organization that are open now, or have ended; newest first',
  },
  endTunnel: {
    method: 'DELETE',
    path: '/api/v1/organizations/{organizationId}/tunnels/{tunnelId}/',
    access: 'user',
    isServedWhenFull: true,
    permission: 'tunnels.manage',
    on: { organization: 'params.organizationId', at: 'anywhere' },
    params: z.object({ organizationId: id, tunnelId: id }),
    status: 204,
    errors: ['organization_not_found', 'tunnel_not_found'],
    summary: 'End a tunnel at once, with everything that goes through it',
  },
} as const satisfies Record<string, Route>;
