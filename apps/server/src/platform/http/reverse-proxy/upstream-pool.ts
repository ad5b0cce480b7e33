import type { EventEmitter } from 'node:events';
import { Agent, type AgentOptions, type ClientRequest } from 'node:http';
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
  /** Ends a request. Node would keep one that waits for a connection until its turn comes. */
  end(request: ClientRequest): void;
  destroy(): void;
  /** Nothing more may be asked by it. */
  readonly isClosed: boolean;
}

/** Connections that `connect` opens: sockets, or any other streams, be they connected or take bytes before. */
class StreamAgent extends Agent {
  private readonly connect: () => Promise<Duplex>;
  private connecting = 0;

  constructor(connect: () => Promise<Duplex>, options: AgentOptions) {
    super(options);
    this.connect = connect;
  }

  override createConnection(
    _options: unknown,
    done?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    this.countConnecting(1);
    this.connect().then(
      (stream) => {
        this.countConnecting(-1);
        // Broken before anybody could ask over it.
        if (stream.errored) return this.fail(stream.errored, done);
        // In the pool nobody listens, and an error that nobody hears would end the process.
        stream.on('error', () => {});
        // As TCP sockets do by themselves: an upstream that ends its side must not look alive in the pool.
        stream.once('end', () => stream.end());
        this.prepare(stream);
        done?.(null, stream);
      },
      (error: Error) => {
        this.countConnecting(-1);
        this.fail(error, done);
      },
    );
    return undefined;
  }

  protected prepare(_stream: Duplex): void {}

  /** All that it connects to is one. */
  override getName(): string {
    return '';
  }

  /** Takes requests out of those that wait for a connection. */
  takeWaiting(isTaken: (request: EventEmitter) => boolean): EventEmitter[] {
    const waiting = this.requests as NodeJS.Dict<EventEmitter[]>;
    const taken: EventEmitter[] = [];
    for (const [name, requests = []] of Object.entries(waiting)) {
      taken.push(...requests.filter(isTaken));
      waiting[name] = requests.filter((request) => !taken.includes(request));
      // Node takes the first of each list, and throws where there is none.
      if (waiting[name].length === 0) delete waiting[name];
    }
    return taken;
  }

  /** Node counts connections from when they are open, which with TLS takes a device long. */
  private countConnecting(change: number): void {
    this.connecting += change;
    this.maxSockets -= change;
    this.maxTotalSockets -= change;
  }

  /** Node has requests wait for the end of another connection: where there is none, they would wait for ever. */
  private fail(error: Error, done?: (error: Error, stream: Duplex) => void): void {
    // Node's own signature wants a stream beside an error, and reads none.
    done?.(error, undefined as never);
    if (this.connecting > 0 || Object.values(this.sockets).some((open) => open?.length)) return;
    for (const request of this.takeWaiting(() => true)) request.emit('error', error);
  }
}

class SharedAgent extends StreamAgent {
  private readonly idleTimeoutMs: number;
  /** One for each connection, from the first time on that it was free. */
  private readonly timers = new WeakMap<Duplex, NodeJS.Timeout>();
  private readonly idle = new WeakSet<Duplex>();

  constructor(
    connect: () => Promise<Duplex>,
    { maxSockets, maxFreeSockets, idleTimeoutMs }: Omit<PoolLimits, 'maxSingleSockets'>,
  ) {
    super(connect, { keepAlive: true, maxSockets, maxFreeSockets });
    this.idleTimeoutMs = idleTimeoutMs;
  }

  protected override prepare(stream: Duplex): void {
    stream.once('close', () => clearTimeout(this.timers.get(stream)));
  }

  override keepSocketAlive(stream: Duplex) {
    this.idle.add(stream);
    const timer = this.timers.get(stream);
    if (timer) timer.refresh();
    else {
      const look = () => {
        if (this.idle.has(stream)) stream.destroy();
      };
      this.timers.set(stream, setTimeout(look, this.idleTimeoutMs).unref());
    }
    return super.keepSocketAlive(stream);
  }

  override reuseSocket(stream: Duplex, request: Parameters<Agent['reuseSocket']>[1]): void {
    this.idle.delete(stream);
    super.reuseSocket(stream, request);
  }
}

export function createUpstreamPool(connect: () => Promise<Duplex>, limits: PoolLimits): UpstreamPool {
  const shared = new SharedAgent(connect, limits);
  // Without a bound of its own for each host, Node never uses a connection of it again, and sends `Connection: close`.
  const single = new StreamAgent(connect, { keepAlive: false, maxTotalSockets: limits.maxSingleSockets });
  let isClosed = false;
  return {
    shared,
    single,
    end(request) {
      request.destroy();
      for (const agent of [shared, single]) agent.takeWaiting((waiting) => waiting === request);
    },
    get isClosed() {
      return isClosed;
    },
    destroy() {
      isClosed = true;
      shared.destroy();
      single.destroy();
    },
  };
}
