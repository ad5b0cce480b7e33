import { once } from 'node:events';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import { Session, type SessionStream, type SharedMemory } from '@pult/link';
import type { Logger } from '../log.ts';
import type { NodeIdentity } from './node-certificates.ts';
import { nodeLiveness, nodeTls } from './node-connection.ts';

/** What a node does with a stream of another one that begins with that line. */
export type OnNodeStream = (stream: SessionStream, line: string, peerId: string) => void;

/** A node's first handshake; after it silence is the session's to notice. */
const handshakeTimeoutMs = 5_000;

export interface NodeListener {
  listen(host: string, port: number): Promise<void>;
  renew(identity: NodeIdentity): void;
  readonly connections: number;
  close(): Promise<void>;
}

/** Where other nodes open streams: whoever has no certificate of the nodes' authority gets no further than TLS. */
export function createNodeListener(options: {
  identity: NodeIdentity;
  memory: SharedMemory;
  onStream: OnNodeStream;
  log: Logger;
}): NodeListener {
  const { memory, onStream, log } = options;
  const sessions = new Set<Session>();

  function serve(socket: TLSSocket): void {
    const peerId = socket.getPeerCertificate().subject?.CN;
    if (!socket.authorized || typeof peerId !== 'string') return void socket.destroy();
    socket.setNoDelay(true);
    const session = new Session({
      ...nodeLiveness,
      memory,
      onStream: (stream, line) => onStream(stream, line, peerId),
    });
    sessions.add(session);
    void session.closed.then(() => sessions.delete(session));
    session.attach(socket, false);
  }

  const server: Server = createServer(
    { ...nodeTls(options.identity), requestCert: true, handshakeTimeout: handshakeTimeoutMs },
    serve,
  );
  server.on('tlsClientError', (error, { remoteAddress }) => {
    log.debug({ err: error, address: remoteAddress }, 'no node: refused at the port of the nodes');
  });

  return {
    async listen(host, port) {
      server.listen(port, host);
      await once(server, 'listening');
    },
    renew(identity) {
      server.setSecureContext({ ...nodeTls(identity) });
      for (const session of sessions) session.close('shutdown');
    },
    get connections() {
      return sessions.size;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const session of sessions) session.close('shutdown');
      // Whoever is in the middle of a handshake has no session yet; its time is short.
      if (server.listening) await closed;
    },
  };
}
