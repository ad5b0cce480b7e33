import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { createWebSocketStream, type WebSocket } from 'ws';
import { ClientBrake } from '../../../platform/client-brake.ts';
import { countBytes } from '../../../platform/connection-handle.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { ClientAddress } from '../../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../../platform/http/host-server.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import type { Logger } from '../../../platform/log.ts';
import { joinStreams } from '../../../platform/streams.ts';
import { type Tracing, traceWork } from '../../../platform/tracing/tracing.ts';
import type { Authenticate } from '../../accounts/index.ts';
import { type DeviceReach, isEndpointError, whenConnected } from '../../devices/index.ts';
import { grantOf } from '../live-tunnels.repository.ts';
import type { LiveTunnels } from '../live-tunnels.ts';
import type { TunnelsService } from '../tunnels.service.ts';
import { sshTunnel } from './ssh-kind.ts';
import { createWebSocketUpgradeHandler } from './web-socket-upgrade-handler.ts';

interface Dependencies {
  authenticate: Authenticate;
  tunnels: TunnelsService;
  links: DeviceReach;
  live: LiveTunnels;
  addressOf: ClientAddress;
  log: Logger;
  tracing: Tracing;
}

/** WebSocket close code for applications (RFC 6455, section 7.4.2); its reason is an error code. */
const refused = 4000;

/** By code alone: a close reason has 123 bytes, and a device's own words may be longer. */
function codeOf(error: Error): string {
  return error instanceof DomainError || isEndpointError(error) ? error.code : 'service_unavailable';
}

/**
 * The device's SSH port as raw bytes, for OpenSSH's ProxyCommand and the like. The SSH inside is end to end:
 * this server sees no password and no content.
 */
export function createSshStream(dependencies: Dependencies): UpgradeRoute {
  const { tunnels, links, live, log, tracing } = dependencies;

  async function open(
    webSocket: WebSocket,
    principal: Principal,
    { key, address }: { key: string; address: string },
  ): Promise<void> {
    // What the client says at once waits here for the ticket, and then goes with the opening.
    const stream = createWebSocketStream(webSocket, { allowHalfOpen: true });
    stream.on('error', () => stream.destroy());
    const access = await tunnels.redeemTicket(sshTunnel.name, key, principal);
    if (webSocket.readyState !== webSocket.OPEN) return;
    const use = { grant: grantOf(access), kind: 'ssh_stream', address } as const;
    const opened = live.track(use, 'session', () => webSocket.terminate());
    webSocket.on('close', opened.end);
    const connection = links.open(access, sshTunnel.endpoint);
    joinStreams(stream, connection, { there: new ClientBrake(opened.charge), isOpening: true });
    countBytes(opened, stream, connection);
    // A client that is gone has ended its side, no more: an opening would wait for its answer.
    webSocket.on('close', () => {
      if (connection.connecting) connection.destroy();
    });
    await whenConnected(connection);
  }

  return createWebSocketUpgradeHandler(sshStreamPath, dependencies, (webSocket, principal, request) => {
    const key = request.headers[tunnelKeyHeader];
    const opening = { name: 'OPEN ssh-stream', attributes: {} };
    traceWork(tracing, opening, () =>
      open(webSocket, principal, {
        key: typeof key === 'string' ? key : '',
        address: dependencies.addressOf(request),
      }),
    ).catch((error: Error) => {
      log.info({ err: error }, 'SSH stream refused');
      webSocket.close(refused, codeOf(error));
    });
  });
}
