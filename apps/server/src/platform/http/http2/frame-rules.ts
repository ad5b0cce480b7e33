import { type FrameHeader, frameFlags, frameTypes, maxPayloadBytes } from './frames.ts';

/** What no browser sends: the connection ends by it. */
export class UnlawfulFrameError extends Error {
  override readonly name = 'UnlawfulFrameError';
}

/** How many of a sort may come at once after a pause, and how many a second for as long as one likes. */
interface Rate {
  burst: number;
  perSecond: number;
}

const rates = {
  /** SETTINGS, PING, GOAWAY, and what is for nobody. Each may have to be answered. */
  control: { burst: 64, perSecond: 8 },
  /** Requests that were given up: a person who leaves a page gives up all that it loads, one who zooms a map many times over. */
  reset: { burst: 500, perSecond: 100 },
  priority: { burst: 500, perSecond: 100 },
  /** Besides those that follow from what was sent. */
  window: { burst: 1_000, perSecond: 200 },
  /** Frames without anything in them. */
  empty: { burst: 16, perSecond: 1 },
} satisfies Record<string, Rate>;
type Sort = keyof typeof rates;

/** Sent bytes for which a client may open its window once more: the smallest of windows is 64 kB. */
const bytesPerWindow = 2_048;

export const limits = {
  /** Bytes of one request's headers as they travel; the HTTP server behind takes 16 kB of them unpacked. */
  headerBytes: 32 * 1024,
  /** Of one request's headers; browsers send one, and two for large cookies. */
  headerFrames: 8,
  settings: 32,
  goawayBytes: 1_024,
  ignoredBytes: 1_024,
} as const;

/** Types that are reserved so that somebody sends them (RFC 8701 for TLS; browsers do it with HTTP/2 too). */
const isGrease = (type: number) => type % 0x1f === 0x0b && type > frameTypes.continuation;

/** What becomes of a frame. */
export type Verdict = 'pass' | 'ignore' | 'goaway';

/** Looks at the frames of one client in their order, by their headers and at what little else is needed. */
export class FrameRules {
  readonly #now: () => number;
  readonly #buckets = new Map<Sort, { tokens: number; at: number }>();
  #hasBegun = false;
  #block: { streamId: number; bytes: number; frames: number } | undefined;

  /** `now` in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Whether the headers of a request have begun and not ended. */
  get isWithinHeaders(): boolean {
    return this.#block !== undefined;
  }

  /** Bytes have gone to the client. */
  creditSent(bytes: number): void {
    const bucket = this.#refill('window');
    // Far more than one round trip can be owed.
    bucket.tokens = Math.min(10 * rates.window.burst, bucket.tokens + bytes / bytesPerWindow);
  }

  /** A request has ended before its answer, whoever ended it: of each a server may have had all the work. */
  countReset(): void {
    this.#take('reset', 'requests that are given up');
  }

  /** Before its payload is there. Throws for what no browser sends. */
  checkHeader(frame: FrameHeader): Verdict {
    const { type, length, flags } = frame;
    if (length > maxPayloadBytes) throw new UnlawfulFrameError('a frame that is too long');
    const isAcknowledged = (flags & frameFlags.acknowledgement) !== 0;
    if (!this.#hasBegun && (type !== frameTypes.settings || isAcknowledged)) {
      throw new UnlawfulFrameError('another beginning than settings');
    }
    this.#hasBegun = true;
    if (this.#block && (type !== frameTypes.continuation || frame.streamId !== this.#block.streamId)) {
      throw new UnlawfulFrameError('something within headers');
    }
    return this.#checkType(frame);
  }

  /** Its payload, of any type but DATA. */
  checkPayload({ type, streamId }: FrameHeader, payload: Buffer): void {
    if (type === frameTypes.windowUpdate && (payload.readUInt32BE(0) & 0x7fffffff) === 0) {
      throw new UnlawfulFrameError('a window that opens by nothing');
    }
    if (type === frameTypes.priority && (payload.readUInt32BE(0) & 0x7fffffff) === streamId) {
      throw new UnlawfulFrameError('a stream that depends on itself');
    }
  }

  #checkType(frame: FrameHeader): Verdict {
    const { type, length, flags, streamId } = frame;
    switch (type) {
      case frameTypes.data:
        this.#require(streamId % 2 === 1 && length >= paddingBytes(frame), 'data');
        if (length - paddingBytes(frame) === 0 && (flags & frameFlags.endStream) === 0) {
          this.#take('empty', 'empty frames');
        }
        return 'pass';
      case frameTypes.headers: {
        const priorityBytes = (flags & frameFlags.priority) === 0 ? 0 : 5;
        this.#require(streamId % 2 === 1 && length >= paddingBytes(frame) + priorityBytes, 'headers');
        this.#addToBlock(frame);
        return 'pass';
      }
      case frameTypes.continuation:
        this.#require(this.#block !== undefined, 'continuation');
        if (length === 0) this.#take('empty', 'empty frames');
        this.#addToBlock(frame);
        return 'pass';
      case frameTypes.priority:
        this.#require(streamId !== 0 && length === 5, 'priority');
        this.#take('priority', 'priorities');
        return 'pass';
      case frameTypes.reset:
        this.#require(streamId % 2 === 1 && length === 4, 'reset');
        this.countReset();
        return 'pass';
      case frameTypes.windowUpdate:
        this.#require(length === 4, 'window');
        this.#take('window', 'windows');
        return 'pass';
      default:
        return this.#checkControl(frame);
    }
  }

  /** What is about the connection, or about nothing. */
  #checkControl({ type, length, flags, streamId }: FrameHeader): Verdict {
    this.#take('control', 'control frames');
    switch (type) {
      case frameTypes.settings: {
        const isAcknowledged = (flags & frameFlags.acknowledgement) !== 0;
        const most = isAcknowledged ? 0 : limits.settings * 6;
        this.#require(streamId === 0 && length % 6 === 0 && length <= most, 'settings');
        return 'pass';
      }
      case frameTypes.ping:
        this.#require(streamId === 0 && length === 8, 'ping');
        return 'pass';
      case frameTypes.goaway:
        this.#require(streamId === 0 && length >= 8 && length <= limits.goawayBytes, 'goodbye');
        return 'goaway';
      default:
        this.#require(
          (type === frameTypes.priorityUpdate || isGrease(type)) && length <= limits.ignoredBytes,
          `type ${type}`,
        );
        return 'ignore';
    }
  }

  #addToBlock({ length, flags, streamId }: FrameHeader): void {
    const block = this.#block ?? { streamId, bytes: 0, frames: 0 };
    block.bytes += length;
    block.frames += 1;
    if (block.bytes > limits.headerBytes || block.frames > limits.headerFrames) {
      throw new UnlawfulFrameError('headers that do not end');
    }
    this.#block = (flags & frameFlags.endHeaders) === 0 ? block : undefined;
  }

  #require(isLawful: boolean, what: string): void {
    if (!isLawful) throw new UnlawfulFrameError(`unlawful ${what}`);
  }

  #refill(sort: Sort): { tokens: number; at: number } {
    const { burst, perSecond } = rates[sort];
    const at = this.#now();
    const bucket = this.#buckets.get(sort) ?? { tokens: burst, at };
    const filled = bucket.tokens + ((at - bucket.at) / 1000) * perSecond;
    // What was sent may have filled it above its burst.
    bucket.tokens = Math.max(bucket.tokens, Math.min(burst, filled));
    bucket.at = at;
    this.#buckets.set(sort, bucket);
    return bucket;
  }

  #take(sort: Sort, what: string): void {
    const bucket = this.#refill(sort);
    if (bucket.tokens < 1) throw new UnlawfulFrameError(`too many ${what}`);
    bucket.tokens -= 1;
  }
}

function paddingBytes({ flags }: FrameHeader): number {
  return (flags & frameFlags.padded) === 0 ? 0 : 1;
}
