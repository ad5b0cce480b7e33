import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import type { Logger } from './log.ts';
import { createStrangerLimit, type StrangerBounds } from './stranger-limit.ts';

export interface StrangerListenerOptions {
  /** Names the port in the log. */
  name: string;
  /** Without it what comes is no TLS: something before this server ends it, or nothing does. */
  tls: TlsOptions | undefined;
  bounds: StrangerBounds;
  /** From a connection to the end of its handshake, in milliseconds. */
  handshakeMs?: number | undefined;
  /** The client's own address, for which it may take off the connection what a proxy has written first. */
  readAddress?: ((socket: Socket) => Promise<string>) | undefined;
  /**
   * Takes a connection after its handshake. It counts as a stranger's until it ends or `release` is called: for how long that may be is
   * for whoever takes it to bound.
   */
  onConnection(socket: Socket, address: string, release: () => void): void;
  log: Logger;
}

export interface StrangerListener {
  /** Rejects where the port cannot be had. */
  listen(host: string, port: number): Promise<void>;
  /** For the connections to come. */
  renewTls(tls: TlsOptions): void;
  /** Takes no more connections, and cuts those in the middle of a handshake. Resolves when all others have ended, too. */
  close(): Promise<void>;
  /** Cuts those that are left. */
  cutAll(): void;
}

interface Handshake {
  address: string;
  /** It is over. */
  end(): void;
  release(): void;
}

/** Node tells of a handshake by the TLS socket alone; the connection under it has the same ends. */
const endsOf = ({ localAddress, remoteAddress, remotePort }: Socket) =>
  `${localAddress} ${remoteAddress} ${remotePort}`;

/**
 * A port that anybody can reach and that is no HTTP: the only place that makes a plain server of TLS, as Node's own closes neither the
 * connections whose handshake fails nor those that say nothing, and only tells of them.
 */
export function createStrangerListener(options: StrangerListenerOptions): StrangerListener {
  const { name, bounds, handshakeMs = 15_000, onConnection, log } = options;
  const { readAddress = async ({ remoteAddress = '' }) => remoteAddress } = options;
  const limit = createStrangerLimit(bounds, { listener: name, log });
  const sockets = new Set<Socket>();
  /** Those of them that have no owner yet, by what bounds their time. */
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const handshakes = new Map<string, Handshake>();

  const tlsServer = options.tls && createTlsServer(options.tls);
  tlsServer?.on('tlsClientError', (error, socket) => {
    log.debug({ err: error, listener: name, address: socket.remoteAddress }, 'TLS handshake failed');
    socket.destroy();
  });
  tlsServer?.on('secureConnection', (socket: TLSSocket) => {
    socket.on('error', () => socket.destroy());
    const handshake = handshakes.get(endsOf(socket));
    // The client is gone already.
    if (!handshake) return void socket.destroy();
    handshake.end();
    onConnection(socket, handshake.address, handshake.release);
  });

  function stopWaiting(socket: Socket): void {
    clearTimeout(waiting.get(socket));
    waiting.delete(socket);
  }

  async function accept(socket: Socket): Promise<void> {
    const address = await readAddress(socket);
    const release = socket.destroyed ? undefined : limit.acquire(address, () => socket.destroy());
    if (!release) return void socket.destroy();
    socket.once('close', release);
    if (!tlsServer) {
      stopWaiting(socket);
      onConnection(socket, address, release);
      return;
    }
    const ends = endsOf(socket);
    const handshake: Handshake = {
      address,
      release,
      end() {
        stopWaiting(socket);
        if (handshakes.get(ends) === handshake) handshakes.delete(ends);
      },
    };
    handshakes.set(ends, handshake);
    socket.once('close', handshake.end);
    tlsServer.emit('connection', socket);
  }

  const server = createServer(
    { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true },
    (socket: Socket) => {
      sockets.add(socket);
      waiting.set(
        socket,
        setTimeout(() => socket.destroy(), handshakeMs),
      );
      socket.on('error', () => socket.destroy());
      socket.once('close', () => {
        stopWaiting(socket);
        sockets.delete(socket);
      });
      accept(socket).catch(() => socket.destroy());
    },
  );

  return {
    async listen(host, port) {
      server.listen({ host, port });
      await once(server, 'listening');
    },
    renewTls: (tls) => tlsServer?.setSecureContext(tls),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of waiting.keys()) socket.destroy();
      await closed;
    },
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
