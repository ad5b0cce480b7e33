import { Agent } from 'node:http';
import type { Duplex } from 'node:stream';

/** How many connections are open to one upstream at once, how many of them are kept unused, and for how long. */
export interface PoolLimits {
  maxSockets: number;
  maxFreeSockets: number;
  /** Milliseconds. */
  idleTimeoutMs: number;
}

/** A pool of connections to one upstream, which `connect` opens: sockets, or any other streams, be they connected or take bytes before. */
export class UpstreamAgent extends Agent {
  private readonly connect: () => Promise<Duplex>;
  private readonly idleTimeoutMs: number;
  private readonly idle = new WeakMap<Duplex, NodeJS.Timeout>();

  constructor(connect: () => Promise<Duplex>, { maxSockets, maxFreeSockets, idleTimeoutMs }: PoolLimits) {
    super({ keepAlive: true, maxSockets, maxFreeSockets });
    this.connect = connect;
    this.idleTimeoutMs = idleTimeoutMs;
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
        stream.once('close', () => clearTimeout(this.idle.get(stream)));
        done?.(null, stream);
      },
      // Node's own signature wants a stream beside an error, and reads none.
      (error: Error) => done?.(error, undefined as never),
    );
    return undefined;
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
