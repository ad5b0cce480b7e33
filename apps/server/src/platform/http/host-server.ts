import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type SecureContext, TLSSocket } from 'node:tls';
import { Slots } from '../slots.ts';
import { isAmbiguous, isAmbiguousUpgrade, saysLength } from './ambiguous-request.ts';
import { answerPlain, forgetOffer, offersHttp2, putBackInHttp } from './answer-plain.ts';
import { addCertificateServer, certificateContext } from './certificate-server.ts';
import { type ChallengeContextFor, chooseProtocols, endChallenges } from './challenge-protocol.ts';
import { applyParserBudget } from './parser-budget.ts';
import { refuseUpgrade } from './refuse-upgrade.ts';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;
/** `stayInHttp` takes the connection back into HTTP, after an answer that lets it live: what was asked of it is over. */
export type UpgradeHandler = (
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  stayInHttp: () => void,
) => void;

/** What answers whole requests in place of the API and the console. */
export interface HostSite {
  request: RequestHandler;
  upgrade: UpgradeHandler;
}

/** A part of the server that sees requests before the API and the console do. */
export interface HostHandler {
  /** What answers this request; undefined where it is none of this part's. */
  find(request: IncomingMessage): HostSite | undefined;
}

/** A path whose connections leave HTTP: the device link, WebSockets. */
export interface UpgradeRoute {
  path: string;
  upgrade: UpgradeHandler;
}

export interface HostServerOptions {
  /** PEM texts. */
  tls?: { cert: string; key: string } | undefined;
  /** The certificate for a name that a TLS client asks for; undefined for that of `tls`. */
  contextFor?: ((serverName: string) => SecureContext | undefined) | undefined;
  /** The certificate for an authority that looks at a name, while it does; without it none can. */
  challengeContextFor?: ChallengeContextFor | undefined;
  /** Whether TLS clients that ask for this name are asked for a certificate in turn: no other one ever is. */
  asksCertificate?: ((serverName: string) => boolean) | undefined;
  hosts: readonly HostHandler[];
  upgrades: readonly UpgradeRoute[];
  /** Time a client has for its request line and headers, in milliseconds. */
  headersTimeoutMs?: number | undefined;
  /** Time a client has for the small bodies of the API; tunnels carry uploads of hours. */
  bodyTimeoutMs?: number | undefined;
  /** Time a connection may be without a request. */
  idleMs?: number | undefined;
}

export interface HostServer {
  server: Server;
  /** Resolves when no request is being answered; connections that left HTTP do not count. */
  whenIdle(): Promise<void>;
  /** Serves a connection that was made elsewhere, without TLS. */
  serve(connection: Duplex): void;
  /** Takes another certificate for the connections to come. Throws when key and certificate differ. */
  renewTls(tls: { cert: string; key: string }): void;
  /** From now on a connection ends with the answer it carries. */
  refuseReuse(): void;
  /** Cuts every connection, those that left HTTP too: without it a server never finishes to close. */
  cutAll(): void;
}

/** One listener for everything: tunnel hosts first, then upgrades by path, then the API and the console. */
export function createHostServer(handler: RequestHandler, options: HostServerOptions): HostServer {
  const { headersTimeoutMs = 15_000, bodyTimeoutMs = 30_000, idleMs = 65_000 } = options;
  const answering = new Slots<ServerResponse>();
  /** Answers to come, by their connections. */
  const connections = new WeakMap<Duplex, ServerResponse[]>();
  const waiting: (() => void)[] = [];
  let isLeaving = false;

  function track({ socket }: IncomingMessage, response: ServerResponse): void {
    const slot = answering.add(response);
    const unanswered = connections.get(socket);
    unanswered?.push(response);
    if (isLeaving) response.shouldKeepAlive = false;
    response.once('close', () => {
      answering.delete(slot, response);
      unanswered?.splice(unanswered.indexOf(response), 1);
      if (answering.size === 0) for (const resolve of waiting.splice(0)) resolve();
    });
  }

  /** Whether the body has arrived counts, not whether somebody has read it: an event stream reads none, and lasts. */
  function boundBody(request: IncomingMessage): void {
    const timer = setTimeout(() => {
      if (!request.complete) request.destroy();
    }, bodyTimeoutMs);
    request.once('end', () => clearTimeout(timer));
    request.once('close', () => clearTimeout(timer));
  }

  /** What a client without a certificate may not ask, and one with a certificate may only ask where it was asked for one. */
  function isMisdirected({ headers, socket }: IncomingMessage): boolean {
    const { asksCertificate } = options;
    if (!asksCertificate || !(socket instanceof TLSSocket)) return false;
    const host = headers.host?.replace(/:[0-9]*$/, '').toLowerCase() ?? '';
    return asksCertificate(host) !== asksCertificate(socket.servername || '');
  }

  function findSite(request: IncomingMessage): HostSite | undefined {
    for (const host of options.hosts) {
      const site = host.find(request);
      if (site) return site;
    }
    return undefined;
  }

  const onRequest: RequestListener = (request, response) => {
    track(request, response);
    if (offersHttp2(request)) {
      forgetOffer(request);
      // Node has thrown away what came right behind it: whoever sent that is to know that nobody has read it.
      response.shouldKeepAlive = false;
    }
    if (isAmbiguous(request) || isMisdirected(request)) {
      response.writeHead(isMisdirected(request) ? 421 : 400, { connection: 'close' }).end();
      return;
    }
    const site = findSite(request);
    if (site) {
      // What still comes then is for nobody, and its client may be a stranger.
      response.once('finish', () => request.complete || boundBody(request));
      site.request(request, response);
    } else {
      boundBody(request);
      handler(request, response);
    }
  };

  const settings = {
    // A slow upload through a tunnel may take hours; a slow header may not.
    requestTimeout: 0,
    headersTimeout: headersTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, headersTimeoutMs),
    keepAliveTimeout: idleMs,
    // Finds peers that went away without a word, on connections that may be silent for long.
    keepAlive: true,
    keepAliveInitialDelay: 30_000,
    // What one read of a link brings goes on in one write: in pieces of 16 kB, Node's own mark, a download costs half as much again.
    highWaterMark: 64 * 1024,
    // Asked by Node.js from 22.23 and 24.9 on. 26 keeps the body of a request whose connection it takes out of HTTP from those behind.
    shouldUpgradeCallback: (request: IncomingMessage) => !(offersHttp2(request) && saysLength(request)),
  };
  const server = options.tls
    ? createTlsServer(
        {
          ...settings,
          ...options.tls,
          handshakeTimeout: headersTimeoutMs,
          ...chooseProtocols(options.challengeContextFor),
          SNICallback: (name, done) => done(null, options.contextFor?.(name)),
        },
        onRequest,
      )
    : createServer(settings, onRequest);

  const certificateServer =
    options.tls && options.asksCertificate && server instanceof TlsServer
      ? addCertificateServer(
          server,
          {
            ...settings,
            ...options.tls,
            handshakeTimeout: headersTimeoutMs,
            ...chooseProtocols(options.challengeContextFor),
            SNICallback: (name, done) => done(null, options.contextFor?.(name)),
          },
          options.asksCertificate,
          onRequest,
        )
      : undefined;
  const connectionEvent = options.tls ? 'secureConnection' : 'connection';
  /** Of connections that were made elsewhere. */
  const plainServer = options.tls ? createServer(settings, onRequest) : server;
  const sockets = new Set<Socket>();
  for (const each of new Set([server, plainServer])) {
    each.on('connection', (socket: Socket) => {
      // One whose offer of HTTP/2 was passed over comes once more.
      if (sockets.has(socket)) return;
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
  }

  function onConnection(socket: Socket): void {
    if (connections.has(socket)) return;
    const unanswered: ServerResponse[] = [];
    connections.set(socket, unanswered);
    socket.once('close', () => {
      // Node tells it to the answer whose turn it is, and to none of those behind it.
      setImmediate(() => {
        for (const response of [...unanswered]) response.destroy().emit('close');
      });
    });
  }

  function upgrade(by: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (offersHttp2(request)) {
      answerPlain(by, request, socket, head);
      return;
    }
    if (isAmbiguousUpgrade(request) || isMisdirected(request)) {
      refuseUpgrade(socket, isMisdirected(request) ? 421 : 400);
      return;
    }
    const path = request.url?.split('?')[0];
    const route = findSite(request) ?? options.upgrades.find((candidate) => candidate.path === path);
    if (route) route.upgrade(request, socket, head, () => putBackInHttp(by, socket, head));
    else refuseUpgrade(socket, 404);
  }

  function onUpgrade(by: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // What was asked before it on the same connection is answered first: the answers come one after the other.
    const before = connections.get(socket)?.at(-1);
    if (!before) {
      upgrade(by, request, socket, head);
      return;
    }
    // Nobody else listens until then, and an error that nobody hears would end the process.
    socket.on('error', () => {});
    before.once('close', () => socket.writable && upgrade(by, request, socket, head));
  }

  for (const each of new Set([server, plainServer, ...(certificateServer ? [certificateServer] : [])])) {
    const event = each === plainServer ? 'connection' : connectionEvent;
    // Otherwise Node leaves out all headers after the 1000th, a body's coding among them, which a proxy would then pass
    // on as a request of its own. Their size is bounded anyway.
    each.maxHeadersCount = 0;
    applyParserBudget(each, event);
    each.on(event, onConnection);
    each.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      onUpgrade(each, request, socket, head),
    );
  }

  if (options.challengeContextFor) {
    for (const each of [server, certificateServer]) if (each instanceof TlsServer) endChallenges(each);
  }

  return {
    server,
    whenIdle: () => new Promise((resolve) => (answering.size === 0 ? resolve() : waiting.push(resolve))),
    serve: (connection) => void plainServer.emit('connection', connection),
    renewTls(tls) {
      if (server instanceof TlsServer) server.setSecureContext(tls);
      certificateServer?.setSecureContext({ ...tls, ...certificateContext });
    },
    refuseReuse() {
      isLeaving = true;
      for (const response of answering.list()) if (!response.headersSent) response.shouldKeepAlive = false;
    },
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
