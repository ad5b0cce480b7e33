import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Duplex } from 'node:stream';

export type RequestHandler = (request: IncomingMessage, response: Parameters<RequestListener>[1]) => void;
export type UpgradeHandler = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** A part of the server that takes whole requests before the API and the console see them. */
export interface HostHandler {
  matches(request: IncomingMessage): boolean;
  request: RequestHandler;
  upgrade: UpgradeHandler;
}

/** A path whose connections leave HTTP: the device link, WebSockets. */
export interface UpgradeRoute {
  path: string;
  upgrade: UpgradeHandler;
}

export interface HostServerOptions {
  tls?: { cert: string; key: string } | undefined;
  hosts: readonly HostHandler[];
  upgrades: readonly UpgradeRoute[];
}

/** Answers on a raw socket, for requests that never became HTTP responses, and closes it. */
export function refuseUpgrade(socket: Duplex, status: string, body = ''): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

/**
 * True where two readers of one request could disagree about its host or its length (request smuggling,
 * RFC 9112, sections 3.2 and 6.1). Such a request is answered 400 before anything is decided by it.
 */
export function isAmbiguous(request: IncomingMessage): boolean {
  let hosts = 0;
  let lengths = 0;
  let encodings = 0;
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase();
    if (name === 'host') hosts += 1;
    if (name === 'content-length') lengths += 1;
    if (name === 'transfer-encoding') encodings += 1;
  }
  const isOriginForm = request.url?.startsWith('/') === true;
  return hosts !== 1 || lengths + encodings > 1 || !isOriginForm;
}

export interface HostServer {
  server: Server;
  /** Resolves when no request is being answered; connections that left HTTP do not count. */
  whenIdle(): Promise<void>;
}

/** One listener for everything: tunnel hosts first, then upgrades by path, then the API and the console. */
export function createHostServer(handler: RequestHandler, options: HostServerOptions): HostServer {
  const answering = new Set<object>();
  const waiting: (() => void)[] = [];
  const onRequest: RequestListener = (request, response) => {
    answering.add(response);
    response.on('close', () => {
      answering.delete(response);
      if (answering.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
    if (isAmbiguous(request)) {
      response.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const host = options.hosts.find((candidate) => candidate.matches(request));
    (host?.request ?? handler)(request, response);
  };
  const server = options.tls ? createTlsServer(options.tls, onRequest) : createServer(onRequest);
  // A slow upload through a tunnel may take hours; a slow header may not.
  server.requestTimeout = 0;
  server.headersTimeout = 15_000;
  server.keepAliveTimeout = 65_000;
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    if (isAmbiguous(request)) {
      refuseUpgrade(socket, '400 Bad Request');
      return;
    }
    const host = options.hosts.find((candidate) => candidate.matches(request));
    const path = request.url?.split('?')[0];
    const route = host ?? options.upgrades.find((candidate) => candidate.path === path);
    if (route) route.upgrade(request, socket, head);
    else refuseUpgrade(socket, '404 Not Found');
  });
  return {
    server,
    whenIdle: () => new Promise((resolve) => (answering.size === 0 ? resolve() : waiting.push(resolve))),
  };
}
