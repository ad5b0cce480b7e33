import { z } from 'zod';
import type { Route } from '../route.ts';
import { id } from '../schemas/text.ts';
import { openTunnelAnswer, openTunnelRequest } from '../schemas/tunnels.ts';
import { controllerParams } from './controllers.ts';

export const tunnelRoutes = {
  openTunnel: {
    method: 'POST',
    path: '/api/v1/controllers/{serialNumber}/tcp-tunnels/{protocol}/',
    access: 'user',
    permission: 'tunnels.open',
    // Not an enumeration: an unknown protocol has an error of its own.
    params: controllerParams.extend({ protocol: z.string() }),
    body: openTunnelRequest,
    status: 200,
    answer: openTunnelAnswer,
    errors: [
      'controller_not_found',
      'protocol_unsupported',
      'controller_offline',
      'tunnels_limit_reached',
      'tunnel_host_unavailable',
    ],
    summary: 'Open a tunnel to the web interface or the SSH server of a controller',
  },
  downloadTerminalFile: {
    method: 'GET',
    path: '/api/v1/controllers/{serialNumber}/files/{transferId}/',
    access: 'user',
    permission: 'tunnels.open',
    params: controllerParams.extend({ transferId: id }),
    status: 200,
    answer: z.string(),
    kind: 'file',
    errors: ['controller_not_found', 'file_transfer_not_found'],
    summary: 'A file that the file panel of an open terminal has asked for; once, within a minute',
  },
} as const satisfies Record<string, Route>;
