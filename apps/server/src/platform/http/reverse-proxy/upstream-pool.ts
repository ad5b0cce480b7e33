import { Agent, type AgentOptions, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many connections are open to one upstream at once, how many of them are kept unused, and for how long. */
export interface PoolLimits {
  /** Of those that carry one request after another. */
  maxSockets: number;
  maxFreeSockets: number;
  /** Milliseconds. */
  idleTimeoutMs: number;
  /** Of those that carry one request each. */
  maxSingleSockets: number;
}

/** Connections to one upstream. */
export interface UpstreamPool {
  /** A connection carries one request after another. */
  readonly shared: Agent;
  /** A connection carries one request and closes with its answer. */
  readonly single: Agent;
  destroy(): void;
}

/** Connections that `connect` opens: sockets, or any other streams, be they connected or take bytes before. */
class StreamAgent extends Agent {
  private readonly connect: () => Promise<Duplex>;

  constructor(connect: () => Promise<Duplex>, options: AgentOptions) {
    super(options);
    this.connect = connect;
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.connect().then(
      (stream) => {
        // Broken before anybody could ask over it.
        if (stream.errored) return void done?.(stream.errored, undefined as never);
        // In the pool nobody listens, and an error that nobody hears would end the process.
        stream.on('error', () => {});
        // As TCP sockets do by themselves: an upstream that ends its side must not look alive in the pool.
        stream.once('end', () => stream.end());
        this.prepare(stream);
        done?.(null, stream);
      },
      // Node's own signature wants a stream beside an error, and reads none.
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
  }

  protected prepare(_stream: Duplex): void {}
}

class SharedAgent extends StreamAgent {
  private readonly idleTimeoutMs: number;
  private readonly idle = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor(
    connect: () => Promise<Duplex>,
    { maxSockets, maxFreeSockets, idleTimeoutMs }: Omit<PoolLimits, 'maxSingleSockets'>,
  ) {
    super(connect, { keepAlive: true, maxSockets, maxFreeSockets });
    this.idleTimeoutMs = idleTimeoutMs;
  }

  protected override prepare(stream: Duplex): void {
    stream.once('close', () => clearTimeout(this.idle.get(stream)));
  }

  override keepSocketAlive(stream: Duplex) {
    const timer = setTimeout(() => stream.destroy(), this.idleTimeoutMs);
    timer.unref();
    this.idle.set(stream, timer);
    return super.keepSocketAlive(stream);
  }

  override reuseSocket(stream: Duplex, request: Parameters<Agent['reuseSocket']>[1]): void {
    clearTimeout(this.idle.get(stream));
    super.reuseSocket(stream, request);
  }
}

export function createUpstreamPool(connect: () => Promise<Duplex>, limits: PoolLimits): UpstreamPool {
  const shared = new SharedAgent(connect, limits);
  // Without a bound of its own for each host, Node never uses a connection of it again, and sends `Connection: close`.
  const single = new StreamAgent(connect, { keepAlive: false, maxTotalSockets: limits.maxSingleSockets });
  return {
    shared,
    single,
    destroy() {
      shared.destroy();
      single.destroy();
    },
  };
}

/** What listens for bytes that belong to no answer, by its connection. */
const watches = new WeakMap<Duplex, () => void>();

/**
 * Closes the connection of a request that brings anything before the request, or behind its answer: the next request would
 * get that for its own answer.
 */
export function closeOnStrayBytes(request: ClientRequest): void {
  request.once('socket', (connection) => {
    const watch = watches.get(connection);
    if (watch) {
      connection.off('data', watch);
      // Node leaves it unsaid where the request has waited for the connection.
      request.reusedSocket = true;
    }
    if (connection.readableLength === 0) return;
    // Node would still read what waits in a connection that is destroyed.
    connection.pause();
    connection.destroy();
  });
  request.once('response', (answer: IncomingMessage) => {
    const { socket } = answer;
    const watch = () => {
      if (answer.complete) socket.destroy();
    };
    watches.set(socket, watch);
    // Before Node's own reader, which completes the answer by the bytes that belong to it.
    socket.prependListener('data', watch);
  });
}
