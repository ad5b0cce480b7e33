import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex, Readable } from 'node:stream';
import { countBytes } from '../../connection-handle.ts';
import type { Logger } from '../../log.ts';
import { noTracing, type Tracing } from '../../tracing/tracing.ts';
import { isForeignRequest } from '../origin.ts';
import { refuseUpgrade } from '../refuse-upgrade.ts';
import { logRefusal } from './log-refusal.ts';
import type { ProxyPolicy, Refusal } from './policy.ts';
import { proxyRequest } from './proxy-request.ts';
import { proxyUpgrade } from './proxy-upgrade.ts';
import { hasUnexpectedBody } from './request-body.ts';
import { type Forward, traceForward, traceForwardUpgrade } from './trace-requests.ts';

/** Lets browsers reach something else than this server, by the policy of the host that they have asked. */
export interface ReverseProxy {
  request(request: IncomingMessage, response: ServerResponse, policy: ProxyPolicy): void;
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, policy: ProxyPolicy): void;
}

/** Never rejects. */
const createForward =
  (log: Logger): Forward =>
  async (request, response, policy) => {
    try {
      const address = policy.addressOf(request);
      const refuse = (refusal: Refusal) => {
        logRefusal(log, request, address, refusal);
        refusal.send(request, response);
      };
      if (isForeignRequest(request, policy.origin)) return refuse(policy.forbidden);
      const upstream = await policy.admit(request, address);
      if ('status' in upstream) return refuse(upstream);
      if (hasUnexpectedBody(request)) {
        const { method, headers } = request;
        log.warn(
          { method, host: headers.host, address },
          'refused: a body that a web server may take for a request',
        );
        response.shouldKeepAlive = false;
        request.resume();
        return policy.unexpectedBody.send(request, response);
      }

      // The browser may have left during the look at the database: its end was told already.
      if (response.destroyed) return;
      const cut = () => response.destroy();
      const tracked = upstream.track('request', cut);
      if ('status' in tracked) return refuse(tracked);
      let handle = tracked;
      let connection: Readable | undefined;
      response.on('close', () => handle.end());
      proxyRequest(request, response, upstream, {
        onFailure: (error) => refuse(policy.refusalOf(error)),
        onConnection(opened) {
          connection = opened;
          handle.watch(opened);
        },
        onEventStream() {
          // The place of the request is free for it.
          handle.end();
          const session = upstream.track('session', cut);
          if ('status' in session) {
            logRefusal(log, request, address, session);
            return cut();
          }
          handle = session;
          if (connection) handle.watch(connection);
        },
        onBytes: (bytesIn, bytesOut) => handle.count(bytesIn, bytesOut),
        onPieces: (pieces) => handle.charge(pieces),
      });
    } catch (error) {
      log.error({ err: error, host: request.headers.host }, 'proxied request failed');
      if (response.headersSent) response.destroy();
      else response.writeHead(503, { 'content-length': 0 }).end();
    }
  };

async function forwardUpgrade(
  log: Logger,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  policy: ProxyPolicy,
): Promise<void> {
  // Browsers always name the page that opens a WebSocket.
  const address = policy.addressOf(request);
  const refuse = (refusal: Refusal) => {
    logRefusal(log, request, address, refusal);
    refuseUpgrade(socket, refusal.status);
  };
  if (request.headers.origin !== policy.origin) return refuse(policy.forbidden);
  const upstream = await policy.admit(request, address);
  if ('status' in upstream) return refuse(upstream);
  const fail = (error: unknown) => refuse(policy.refusalOf(error));
  // Before there is a connection: a device may take long for it, and then there would be as many as anybody asks for.
  const handle = upstream.track('session', () => socket.destroy());
  if ('status' in handle) return refuse(handle);
  let connection: Duplex;
  try {
    connection = await upstream.connect();
    if (connection.errored) throw connection.errored;
  } catch (error) {
    handle.end();
    return fail(error);
  }
  if (socket.destroyed) {
    handle.end();
    connection.destroy();
    return;
  }
  socket.on('close', () => {
    handle.end();
    connection.destroy();
  });
  const onJoined = () => countBytes(handle, socket, connection);
  try {
    proxyUpgrade(
      request,
      socket,
      head,
      { ...upstream, connection },
      { onFailure: fail, onJoined, onPieces: handle.charge },
    );
  } catch (error) {
    // A path or a header that Node refuses to send.
    fail(error);
  }
}

export function createReverseProxy(log: Logger, tracing: Tracing = noTracing): ReverseProxy {
  const forwardUpgraded = traceForwardUpgrade(tracing, (...forwarded) => forwardUpgrade(log, ...forwarded));
  return {
    request: traceForward(tracing, createForward(log)),
    upgrade(request, socket, head, policy) {
      socket.on('error', () => socket.destroy());
      forwardUpgraded(request, socket, head, policy).catch((error: unknown) => {
        log.error({ err: error, host: request.headers.host }, 'proxied upgrade failed');
        socket.destroy();
      });
    },
  };
}
