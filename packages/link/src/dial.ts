import {
  type Agent,
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { LinkRefusedError } from './link-error.ts';
import { refusalSchema } from './messages.ts';
import { LINK_PATH, LINK_PROTOCOL, LINK_SUBPROTOCOL } from './protocol.ts';
import { parseRetryAfter } from './retry-after.ts';
import { createLinkWebSocketStream, webSocketOptions } from './web-socket-stream.ts';

export type LinkTransport = 'upgrade' | 'websocket';

export interface DialOptions {
  headers: Record<string, string>;
  transport: LinkTransport;
  /** PEM certificates trusted instead of the system's. */
  ca?: string | undefined;
  /** Makes the connection, where it is not a plain one: through a proxy, from a certain address. */
  agent?: Agent | undefined;
  /** Silence after which the attempt is given up; 10 s unless told. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Is told the headers of the answer, before the connection is there. */
  onAnswer?: ((headers: IncomingHttpHeaders) => void) | undefined;
}

/** Nothing came back in time: a proxy may have swallowed the upgrade. */
export class DialTimeoutError extends Error {
  override readonly name = 'DialTimeoutError';
}

const MAX_REFUSAL_BYTES = 4096;

/**
 * Asks the server at `serverUrl` for a link. The caller owns the returned socket. Rejects with
 * `LinkRefusedError` for any answer but 101, `DialTimeoutError`, the signal's reason, or the socket's error.
 */
export function dial(serverUrl: string, options: DialOptions): Promise<Duplex> {
  const { signal, timeoutMs = 10_000 } = options;
  if (signal?.aborted) return Promise.reject(signal.reason);
  const attempt = options.transport === 'upgrade' ? dialUpgrade : dialWebSocket;
  return new Promise((resolve, reject) => {
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: unknown) => {
      settle();
      reject(error);
      // One that was answered is over, and its connection is the agent's again.
      if (!(error instanceof LinkRefusedError && error.isWhole)) abandon();
    };
    const onAbort = () => fail(signal?.reason);
    const timer = setTimeout(() => fail(new DialTimeoutError(`no answer within ${timeoutMs} ms`)), timeoutMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    const abandon = attempt(new URL(serverUrl), options, fail, (socket) => {
      settle();
      resolve(socket);
    });
  });
}

/** Starts an attempt; calls exactly one of its callbacks and returns how to give the attempt up. */
type Attempt = (
  url: URL,
  options: DialOptions,
  fail: (error: unknown) => void,
  succeed: (socket: Duplex) => void,
) => () => void;

const dialUpgrade: Attempt = (url, { headers, ca, agent = false, onAnswer }, fail, succeed) => {
  const target = {
    method: 'GET',
    path: getLinkPath(url),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port,
    agent,
    headers: { ...headers, Host: url.host, Connection: 'Upgrade', Upgrade: LINK_PROTOCOL },
  };
  const request: ClientRequest =
    url.protocol === 'https:' ? requestHttps({ ...target, ...(ca ? { ca } : {}) }) : requestHttp(target);
  request.on('error', fail);
  request.on('response', (response) => readRefusal(response, fail));
  request.on('upgrade', (response, socket: Socket, head) => {
    socket.on('error', () => {});
    if (response.headers.upgrade?.toLowerCase() !== LINK_PROTOCOL) {
      socket.destroy();
      fail(new LinkRefusedError({ status: 101, refusal: null }));
      return;
    }
    socket.setTimeout(0);
    prepareSocket(socket);
    if (head.length > 0) socket.unshift(head);
    onAnswer?.(response.headers);
    succeed(socket);
  });
  request.end();
  return () => request.destroy();
};

const dialWebSocket: Attempt = (url, { headers, ca, agent, onAnswer }, fail, succeed) => {
  const target = new URL(url);
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  target.pathname = getLinkPath(url);
  let socket: Duplex | undefined;
  const webSocket = new WebSocket(target, LINK_SUBPROTOCOL, {
    ...webSocketOptions,
    ...(ca ? { ca } : {}),
    ...(agent ? { agent } : {}),
    headers,
  });
  webSocket.on('error', fail);
  webSocket.on('unexpected-response', (_request, response) => readRefusal(response, fail));
  webSocket.on('upgrade', (response) => {
    prepareSocket(response.socket);
    socket = response.socket;
    onAnswer?.(response.headers);
  });
  webSocket.on('open', () => {
    if (socket) succeed(createLinkWebSocketStream(webSocket, socket));
  });
  return () => webSocket.terminate();
};

/** Both ends ask after each other: the kernel's keep-alive, which is as many packets again, stays with calls over HTTP. */
function prepareSocket(socket: Socket): void {
  socket.setNoDelay(true);
  socket.setKeepAlive(false);
}

function getLinkPath(url: URL): string {
  return url.pathname.replace(/(?<!\/)\/+$/, '') + LINK_PATH;
}

/** Reads a bounded part of an answer that is not 101 and fails with it. */
function readRefusal(response: IncomingMessage, fail: (error: unknown) => void): void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (isWhole: boolean) =>
    fail(
      new LinkRefusedError({
        status: response.statusCode ?? 0,
        refusal: parseRefusal(Buffer.concat(chunks)),
        retryAfterMs: parseRetryAfter(response.headers['retry-after']),
        isWhole,
      }),
    );
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > MAX_REFUSAL_BYTES) {
      response.destroy();
      finish(false);
    }
  });
  response.on('end', () => finish(true));
  response.on('error', fail);
}

function parseRefusal(body: Buffer) {
  try {
    return refusalSchema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    // A proxy's page, not a Pult server's word.
    return null;
  }
}
