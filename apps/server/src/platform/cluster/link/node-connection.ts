import { connect, type TLSSocket } from 'node:tls';
import { MAX_KNOWN_STREAMS, type Priority, Session, type SessionStream, type SharedMemory } from '@pult/link';
import type { NodeIdentity } from './node-certificates.ts';
import { type NodePeer, parseNodeAddress } from './peer.ts';

/** Nodes are near each other: whoever takes longer is not there. */
const dialTimeoutMs = 3_000;
/** Without a stream for so long the connection is closed. */
const idleMs = 5 * 60_000;
export const nodeLiveness = { pingIntervalMs: 5_000, pingTimeoutMs: 5_000 };

/** What both ends of a connection demand of each other. */
export const nodeTls = ({ ca, cert, key }: NodeIdentity) =>
  ({ ca, cert, key, minVersion: 'TLSv1.3', rejectUnauthorized: true }) as const;

export interface NodeConnection {
  /** A stream that begins with that line; it is there at once, and what is written to it goes with the line. */
  open(line: string, priority: Priority, onHead: (line: string) => void): SessionStream;
  /** False until the other node has been reached. */
  readonly isConnected: boolean;
  /** It takes no more streams. */
  readonly isClosed: boolean;
  close(): void;
}

interface Options {
  peer: NodePeer;
  /** A node that has just taken another id makes its certificate meanwhile. */
  identity: Promise<NodeIdentity>;
  memory: SharedMemory;
  /** The other node was not reached, or is not any more. */
  onEnd: (reason: string, wasConnected: boolean) => void;
}

/** The connection by which this node opens streams at another one; dialled at once. */
export function connectNode({ peer, identity, memory, onEnd }: Options): NodeConnection {
  const session = new Session({ ...nodeLiveness, memory, maxOpen: MAX_KNOWN_STREAMS });
  let isConnected = false;
  let streams = 0;
  let reason = '';
  let idleTimer: NodeJS.Timeout | undefined;

  const fail = (error?: Error) => {
    reason ||= error?.message ?? 'it closed the connection';
    if (!isConnected) session.close('transport');
  };

  function dial(own: NodeIdentity): void {
    if (session.isClosing) return;
    const socket: TLSSocket = connect({
      ...parseNodeAddress(peer.address),
      ...nodeTls(own),
      // By its id, which its certificate names: an address may be another node's by now.
      checkServerIdentity: (_, { subject }) =>
        subject.CN === peer.id ? undefined : new Error('another node answers at this address'),
    });
    const patience = setTimeout(() => socket.destroy(new Error('it does not answer')), dialTimeoutMs);
    socket.once('error', fail);
    socket.once('close', () => {
      clearTimeout(patience);
      fail();
    });
    socket.once('secureConnect', () => {
      clearTimeout(patience);
      socket.setNoDelay(true);
      isConnected = true;
      session.attach(socket, false);
    });
    void session.closed.then(() => socket.destroy());
  }

  identity.then(dial, fail);
  void session.closed.then((why) => {
    clearTimeout(idleTimer);
    onEnd(reason || why, isConnected);
  });

  function noteEnd(): void {
    streams -= 1;
    if (streams > 0) return;
    idleTimer = setTimeout(() => session.close('shutdown'), idleMs).unref();
  }

  return {
    open(line, priority, onHead) {
      const stream = session.open(line, priority, onHead);
      streams += 1;
      clearTimeout(idleTimer);
      stream.once('close', noteEnd);
      return stream;
    },
    get isConnected() {
      return isConnected;
    },
    get isClosed() {
      return session.isClosing;
    },
    close: () => session.close(isConnected ? 'shutdown' : 'transport'),
  };
}
