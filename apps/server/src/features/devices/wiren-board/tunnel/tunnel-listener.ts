import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, Server as TlsServer } from 'node:tls';
import type { TlsPair } from '../../../../platform/http/tls-files.ts';
import type { Tunnels } from './serve-tunnels.ts';

interface Dependencies {
  tunnels: Tunnels;
  /** Without it what comes is no TLS: something before this server ends it. */
  tls: TlsPair | undefined;
}

export interface TunnelListener {
  /** Rejects where the port cannot be had. */
  listen(host: string, port: number): Promise<void>;
  renewTls(tls: TlsPair): void;
  /** Takes no more connections. */
  close(): void;
  /** Cuts those that are left. */
  cutAll(): void;
}

const handshakeMs = 15_000;

/** The port on which the frpc of controllers comes in. */
export function createTunnelListener({ tunnels, tls }: Dependencies): TunnelListener {
  const sockets = new Set<Socket>();

  function onConnection(socket: Socket): void {
    const release = tunnels.enter(socket.remoteAddress ?? '');
    if (release) tunnels.serve(socket, release);
    else socket.destroy();
  }

  const settings = { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true };
  const server: Server = tls
    ? createTlsServer({ ...settings, ...tls, handshakeTimeout: handshakeMs }, onConnection)
    : createServer(settings, onConnection);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    async listen(host, port) {
      server.listen({ host, port });
      await once(server, 'listening');
    },
    renewTls(pair) {
      if (server instanceof TlsServer) server.setSecureContext(pair);
    },
    close: () => void server.close(),
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
