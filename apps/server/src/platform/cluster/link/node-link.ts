import { type Priority, type SessionStream, SharedMemory } from '@pult/link';
import type { Logger } from '../../log.ts';
import { createNodeIdentity, type NodeIdentity } from './node-certificates.ts';
import { connectNode, type NodeConnection } from './node-connection.ts';
import { createNodeListener, type NodeListener } from './node-listener.ts';
import type { NodePeer } from './peer.ts';

export { priorities as streamPriorities } from '@pult/link';
/** A stream between two nodes, with the manners of a socket. */
export type NodeStream = SessionStream;

/** A stream to another node has not come to be, because that node is not reached. */
export class NodeUnreachableError extends Error {
  override readonly name = 'NodeUnreachableError';
}

/** The other node has said no, by a word and one printable line. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal';
  readonly code: string;
  readonly reason: string | undefined;

  constructor(code: string, reason: string | undefined) {
    super(reason ? `${code}: ${reason}` : code);
    this.code = code;
    this.reason = reason;
  }
}

/** Takes a stream of another node whose line began with the word it is for; `rest` is what follows that. */
export type NodeStreamHandler = (stream: SessionStream, rest: string, peerId: string) => void;

/** Says yes to a stream, and what else the other node is to know. */
export function acceptNodeStream(stream: SessionStream, words = ''): void {
  stream.write(words === '' ? 'ok\n' : `ok ${words}\n`);
  stream.connectNow();
}

export function refuseNodeStream(stream: SessionStream, code: string, reason = ''): void {
  if (stream.destroyed) return;
  stream.resume();
  stream.end(
    `no ${code} ${reason}`
      .trim()
      .replace(/[\r\n]+/g, ' ')
      .concat('\n'),
  );
}

interface OpenOptions {
  priority: Priority;
  answerTimeoutMs: number;
  /** Told what else the other node says when it accepts. */
  onAccepted?: (words: string) => void;
}

/** Streams between the nodes of this installation, over one connection for each node that this one asks. */
export interface NodeLink {
  /**
   * A stream at once, which emits `connect` when the other node has accepted. Its error is a NodeRefusal where that node has said no, a
   * NodeUnreachableError where it has not answered, and one of the session's where the connection is not to be had, or is cut.
   */
  open(peer: NodePeer, line: string, options: OpenOptions): SessionStream;
  /** To be called before it listens. */
  handle(word: string, handler: NodeStreamHandler): void;
  listen(host: string, port: number): Promise<void>;
  /** This node is another one from now on: whatever was open ends. */
  renew(nodeId: string): Promise<void>;
  close(): Promise<void>;
  readonly counts: { failed: number; opened: number };
  /** Connections to other nodes, and from them. */
  readonly state: { out: number; in: number };
}

/** What may wait in all streams between nodes together. */
const memoryBytes = 128 * 1024 * 1024;

export async function createNodeLink(options: {
  /** Of which the authority's key is derived. */
  material: Buffer;
  nodeId: string;
  /** For tests of what takes long. */
  handshakeMs?: number;
  log: Logger;
}): Promise<NodeLink> {
  const { material, handshakeMs, log } = options;
  const memory = new SharedMemory(memoryBytes);
  const handlers = new Map<string, NodeStreamHandler>();
  const connections = new Map<string, NodeConnection>();
  const counts = { failed: 0, opened: 0 };
  const first = await createNodeIdentity(material, options.nodeId);
  let identity: Promise<NodeIdentity> = Promise.resolve(first);

  const listener: NodeListener = createNodeListener({
    identity: first,
    memory,
    handshakeMs,
    log,
    onStream(stream, line, peerId) {
      const at = line.indexOf(' ');
      const word = at === -1 ? line : line.slice(0, at);
      const handler = handlers.get(word);
      if (handler) handler(stream, at === -1 ? '' : line.slice(at + 1), peerId);
      else refuseNodeStream(stream, 'unknown');
    },
  });

  function connectionTo(peer: NodePeer): NodeConnection {
    const known = connections.get(peer.id);
    if (known && !known.isClosed) return known;
    const connection = connectNode({
      peer,
      identity,
      memory,
      onEnd(reason, wasConnected) {
        if (connections.get(peer.id) === connection) connections.delete(peer.id);
        if (!wasConnected) counts.failed += 1;
        const text = wasConnected ? 'connection to another node ended' : 'another node is not reached';
        log[wasConnected ? 'info' : 'warn']({ node: peer.id, address: peer.address, reason }, text);
      },
    });
    counts.opened += 1;
    connections.set(peer.id, connection);
    return connection;
  }

  return {
    open(peer, line, { priority, answerTimeoutMs, onAccepted }) {
      const connection = connectionTo(peer);
      const stream = connection.open(line, priority, (head) => {
        clearTimeout(timer);
        const [word, code = 'unknown', ...reason] = head.split(' ');
        if (word !== 'ok') {
          stream.destroy(new NodeRefusal(code, reason.join(' ') || undefined));
          return;
        }
        onAccepted?.(head.slice(3));
        stream.connectNow();
      });
      const timer = setTimeout(() => {
        stream.destroy(new NodeUnreachableError('it does not answer'));
      }, answerTimeoutMs);
      stream.once('close', () => clearTimeout(timer));
      return stream;
    },
    handle: (word, handler) => void handlers.set(word, handler),
    listen: (host, port) => listener.listen(host, port),
    async renew(nodeId) {
      identity = createNodeIdentity(material, nodeId);
      for (const connection of connections.values()) connection.close();
      listener.renew(await identity);
    },
    async close() {
      for (const connection of connections.values()) connection.close();
      await listener.close();
    },
    counts,
    get state() {
      return { out: connections.size, in: listener.connections };
    },
  };
}
