import type { Duplex } from 'node:stream';
import { streamPathOf, type TunnelProtocol, type TunnelRecordKind, tunnelKeyHeader } from '@pult/contract';
import type { WebSocket } from 'ws';
import { ClientBrake } from '../../platform/client-brake.ts';
import { countBytes } from '../../platform/connection-handle.ts';
import { DomainError } from '../../platform/errors.ts';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../platform/http/host-server.ts';
import type { Principal } from '../../platform/http/principal.ts';
import type { Logger } from '../../platform/log.ts';
import { joinStreams } from '../../platform/streams.ts';
import { type Tracing, traceWork } from '../../platform/tracing/tracing.ts';
import type { Authenticate } from '../accounts/index.ts';
import { type DeviceRouter, isEndpointError, whenConnected } from '../devices/index.ts';
import { grantOf } from './live-tunnels.repository.ts';
import type { LiveTunnels } from './live-tunnels.ts';
import type { TunnelAccess } from './tunnels.repository.ts';
import type { TunnelsService } from './tunnels.service.ts';
import { createWebSocketUpgradeHandler } from './web-socket-upgrade-handler.ts';

export interface RawStreamDependencies {
  authenticate: Authenticate;
  tunnels: TunnelsService;
  router: DeviceRouter;
  live: LiveTunnels;
  addressOf: ClientAddress;
  log: Logger;
  tracing: Tracing;
}

/** What one sort of raw stream has of its own. */
interface RawStreamKind {
  protocol: TunnelProtocol;
  kind: TunnelRecordKind;
  toStream(webSocket: WebSocket): Duplex;
  /** What the key opens; throws for one that opens nothing. */
  redeem(key: string, principal: Principal): Promise<{ access: TunnelAccess; endpoint: string }>;
}

/** WebSocket close code for applications (RFC 6455, section 7.4.2); its reason is an error code. */
const refused = 4000;

/** By code alone: a close reason has 123 bytes, and a device's own words may be longer. */
function codeOf(error: Error): string {
  return error instanceof DomainError || isEndpointError(error) ? error.code : 'service_unavailable';
}

/** A port of the device as raw bytes of a WebSocket: this server sees no more of what is inside than the bytes. */
export function createRawStream(
  dependencies: RawStreamDependencies,
  { protocol, kind, toStream, redeem }: RawStreamKind,
): UpgradeRoute {
  const { router, live, log, tracing } = dependencies;
  /** In traces and the log. */
  const name = `${protocol}-stream`;

  async function open(
    webSocket: WebSocket,
    principal: Principal,
    { key, address }: { key: string; address: string },
  ): Promise<void> {
    // What the client says at once waits here for the look at its key, and then goes with the opening.
    const stream = toStream(webSocket);
    const { access, endpoint } = await redeem(key, principal);
    if (webSocket.readyState !== webSocket.OPEN) return;
    const use = { grant: grantOf(access), kind, address } as const;
    const opened = live.track(use, 'session', () => webSocket.terminate());
    webSocket.on('close', opened.end);
    const connection = router.open(access, endpoint);
    joinStreams(stream, connection, { there: new ClientBrake(opened.charge), isOpening: true });
    countBytes(opened, stream, connection);
    // A client that is gone has ended its side, no more: an opening would wait for its answer.
    webSocket.on('close', () => {
      if (connection.connecting) connection.destroy();
    });
    await whenConnected(connection);
  }

  return createWebSocketUpgradeHandler(
    streamPathOf(protocol),
    dependencies,
    (webSocket, principal, request) => {
      const key = request.headers[tunnelKeyHeader];
      const address = dependencies.addressOf(request);
      const opening = { name: `OPEN ${name}`, attributes: {} };
      traceWork(tracing, opening, () =>
        open(webSocket, principal, {
          key: typeof key === 'string' ? key : '',
          address,
        }),
      ).catch((error: Error) => {
        const said = error instanceof DomainError ? error.logged : { err: error };
        const { userId: user } = principal;
        log.info({ name, user, address, ...said }, 'stream refused');
        webSocket.close(refused, codeOf(error));
      });
    },
  );
}
