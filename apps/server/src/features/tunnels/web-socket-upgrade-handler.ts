import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type ErrorCode, formatError, negotiateLocale } from '@pult/contract';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { DomainError } from '../../platform/errors.ts';
import type { ClientAddress } from '../../platform/http/client-address.ts';
import type { UpgradeRoute } from '../../platform/http/host-server.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { refuseUpgrade } from '../../platform/http/refuse-upgrade.ts';
import type { Logger } from '../../platform/log.ts';
import type { Authenticate } from '../accounts/index.ts';

const maxMessage = 256 * 1024;

/** A WebSocket that only a logged-in user may open, from a page of ours or with a bearer token. */
export function createWebSocketUpgradeHandler(
  path: string,
  { authenticate, addressOf, log }: { authenticate: Authenticate; addressOf: ClientAddress; log: Logger },
  open: (webSocket: WebSocket, principal: Principal, request: IncomingMessage) => void,
): UpgradeRoute {
  return createOwnUpgradeHandler(
    path,
    {
      authenticate: (request) => {
        const { method, headers } = request;
        return authenticate({ method, headers, ip: addressOf(request) });
      },
      addressOf,
      log,
    },
    open,
  );
}

/** The same with a login of its own kind. */
export function createOwnUpgradeHandler<Caller extends Principal>(
  path: string,
  {
    authenticate,
    addressOf,
    log,
  }: {
    authenticate: (request: IncomingMessage) => Promise<Caller>;
    addressOf: ClientAddress;
    log: Logger;
  },
  open: (webSocket: WebSocket, principal: Caller, request: IncomingMessage) => void,
): UpgradeRoute {
  const server = new WebSocketServer({ noServer: true, clientTracking: false, maxPayload: maxMessage });

  function refuse(request: IncomingMessage, socket: Duplex, address: string, error: unknown): void {
    const code: ErrorCode = error instanceof DomainError ? error.code : 'service_unavailable';
    if (error instanceof DomainError) log.info({ path, address, ...error.logged }, 'WebSocket refused');
    else log.error({ err: error }, 'WebSocket not opened');
    const detail = formatError(code, negotiateLocale(request.headers['accept-language']));
    const status = error instanceof DomainError ? error.status : 503;
    refuseUpgrade(socket, status, JSON.stringify({ detail, code }));
  }

  return {
    path,
    upgrade(request, socket, head) {
      socket.on('error', () => socket.destroy());
      const address = addressOf(request);
      authenticate(request).then(
        (principal) =>
          server.handleUpgrade(request, socket, head, (webSocket) => {
            webSocket.on('error', () => webSocket.terminate());
            open(webSocket, principal, request);
          }),
        (error: unknown) => refuse(request, socket, address, error),
      );
    },
  };
}
