import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Session, type SessionStream, type SharedMemory } from '@pult/link';
import type { Logger } from '../../log.ts';
import type { StrangerBounds } from '../../stranger-limit.ts';
import { createStrangerListener } from '../../stranger-listener.ts';
import type { NodeIdentity } from './node-certificates.ts';
import { nodeLiveness, nodeTls } from './node-connection.ts';

/** What a node does with a stream of another one that begins with that line. */
export type OnNodeStream = (stream: SessionStream, line: string, peerId: string) => void;

/** A node's first handshake; after it silence is the session's to notice. */
const handshakeTimeoutMs = 5_000;
/** Nodes are in nobody's way: they need milliseconds, and may come from the address of a balancer or of a cluster. */
const strangers: StrangerBounds = { perNetwork: 250, inTotal: 500, patienceMs: 0 };

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
  handshakeMs?: number | undefined;
  log: Logger;
}): NodeListener {
  const { memory, onStream, handshakeMs = handshakeTimeoutMs, log } = options;
  const sessions = new Set<Session>();

  function serve(socket: Socket): void {
    const peerId =
      socket instanceof TLSSocket && socket.authorized ? socket.getPeerCertificate().subject?.CN : undefined;
    if (typeof peerId !== 'string') return void socket.destroy();
    const session = new Session({
      ...nodeLiveness,
      memory,
      onStream: (stream, line) => onStream(stream, line, peerId),
    });
    sessions.add(session);
    void session.closed.then(() => sessions.delete(session));
    session.attach(socket, false);
  }

  const listener = createStrangerListener({
    name: 'NODE_PORT',
    tls: { ...nodeTls(options.identity), requestCert: true },
    bounds: strangers,
    handshakeMs,
    onConnection(socket, _, release) {
      release();
      serve(socket);
    },
    log,
  });

  return {
    listen: listener.listen,
    renew(identity) {
      listener.renewTls(nodeTls(identity));
      for (const session of sessions) session.close('shutdown');
    },
    get connections() {
      return sessions.size;
    },
    async close() {
      const closed = listener.close();
      for (const session of sessions) session.close('shutdown');
      await closed;
    },
  };
}
