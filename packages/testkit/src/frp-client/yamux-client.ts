import { Duplex } from 'node:stream';

const types = { data: 0, windowUpdate: 1, ping: 2, goAway: 3 };
const flag = { syn: 1, ack: 2, fin: 4, rst: 8 };
const startWindow = 256 * 1024;
/** What frpc grows its own windows to. */
const ownWindow = 6 * 1024 * 1024;
const headerBytes = 12;
const frameBytes = 32 * 1024;
/** For so long later streams may overtake one whose SYN is not out yet. */
const overtakingMs = 5;

export function yamuxFrame(
  type: number,
  flags: number,
  streamId: number,
  length: number,
  payload = '',
): Buffer {
  const header = Buffer.alloc(headerBytes);
  header[1] = type;
  header.writeUInt16BE(flags, 2);
  header.writeUInt32BE(streamId, 4);
  header.writeUInt32BE(length, 8);
  return Buffer.concat([header, Buffer.from(payload, 'latin1')]);
}

class ClientStream extends Duplex {
  #window = startWindow;
  #waiting: (() => void) | undefined;
  #read = 0;
  isAcknowledged = false;
  readonly #send: (type: number, flags: number, length: number, payload?: Buffer) => void;

  constructor(send: (type: number, flags: number, length: number, payload?: Buffer) => void) {
    super({ allowHalfOpen: true });
    this.#send = send;
    this.on('error', () => {});
    send(types.windowUpdate, flag.syn, ownWindow - startWindow);
  }

  onFrame(type: number, flags: number, length: number, payload: Buffer): void {
    if (flags & flag.ack) this.isAcknowledged = true;
    if (flags & flag.rst) {
      this.destroy(new Error('stream reset'));
      return;
    }
    if (type === types.windowUpdate) {
      this.#window += length;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.();
    } else if (!this.destroyed && payload.length > 0) {
      this.push(payload);
      this.#read += payload.length;
    }
    if (flags & flag.fin && !this.destroyed) this.push(null);
  }

  override _read(): void {
    if (this.#read < 64 * 1024) return;
    this.#send(types.windowUpdate, 0, this.#read);
    this.#read = 0;
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: () => void): void {
    const piece = chunk.subarray(0, Math.min(this.#window, frameBytes));
    this.#window -= piece.length;
    if (piece.length > 0) this.#send(types.data, 0, piece.length, piece);
    if (piece.length === chunk.length) {
      callback();
      return;
    }
    const sendRest = () => this._write(chunk.subarray(piece.length), encoding, callback);
    if (this.#window > 0) setImmediate(sendRest);
    else this.#waiting = sendRest;
  }

  override _final(callback: () => void): void {
    this.#send(types.windowUpdate, flag.fin, 0);
    callback();
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    if (!this.writableFinished || !this.readableEnded) this.#send(types.windowUpdate, flag.rst, 0);
    callback(error);
  }
}

/** Numbers below 1 that look random and are the same in each run (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * The client's end of a yamux session, as its specification says and no further, with the disorder of Go's library: for tests only.
 * That one takes the number of a stream before it sends its SYN, and goroutines overtake each other between the two.
 */
export class YamuxClient {
  readonly socket: Duplex;
  readonly #streams = new Map<number, ClientStream>();
  #nextId = 1;
  /** Send the SYN of a stream that has its number, and what was written to it since. */
  #unsent: (() => void)[] = [];
  readonly #random = createRandom(11);
  #input = Buffer.alloc(0);
  /** Numbers of the pings that were answered. */
  readonly pongs: number[] = [];
  readonly goAways: number[] = [];
  onPong: () => void = () => {};

  constructor(socket: Duplex) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('data', (bytes: Buffer) => this.#receive(bytes));
    socket.once('close', () => {
      for (const stream of this.#streams.values()) stream.destroy();
    });
  }

  openStream(): Duplex {
    const id = this.#nextId;
    this.#nextId += 2;
    let held: Buffer[] | undefined = [];
    const stream = new ClientStream((type, flags, length, payload = Buffer.alloc(0)) => {
      const frames = [yamuxFrame(type, flags, id, length), payload];
      if (held) held.push(...frames);
      else this.#write(frames);
    });
    this.#streams.set(id, stream);
    stream.once('close', () => this.#streams.delete(id));
    this.#unsent.push(() => {
      this.#write(held ?? []);
      held = undefined;
    });
    if (this.#unsent.length === 1) setTimeout(() => this.#sendShuffled(), overtakingMs);
    return stream;
  }

  /** All streams of those milliseconds, in an order that is not that of their numbers. */
  #sendShuffled(): void {
    const unsent = this.#unsent;
    this.#unsent = [];
    while (unsent.length > 0) {
      const [send] = unsent.splice(Math.floor(this.#random() * unsent.length), 1);
      send?.();
    }
  }

  #write(frames: readonly Buffer[]): void {
    if (this.socket.writable) this.socket.write(Buffer.concat(frames));
  }

  ping(number: number): void {
    this.socket.write(yamuxFrame(types.ping, flag.syn, 0, number));
  }

  goAway(code: number): void {
    this.socket.write(yamuxFrame(types.goAway, 0, 0, code));
  }

  #receive(bytes: Buffer): void {
    this.#input = Buffer.concat([this.#input, bytes]);
    while (this.#input.length >= headerBytes) {
      const type = this.#input.readUInt8(1);
      const length = this.#input.readUInt32BE(8);
      const end = headerBytes + (type === types.data ? length : 0);
      if (this.#input.length < end) return;
      const frame = this.#input.subarray(0, end);
      this.#input = this.#input.subarray(end);
      this.#handle(type, frame.readUInt16BE(2), frame.readUInt32BE(4), length, frame.subarray(headerBytes));
    }
  }

  #handle(type: number, flags: number, streamId: number, length: number, payload: Buffer): void {
    if (type === types.goAway) this.goAways.push(length);
    else if (type !== types.ping) this.#streams.get(streamId)?.onFrame(type, flags, length, payload);
    else if (flags & flag.syn) this.socket.write(yamuxFrame(types.ping, flag.ack, 0, length));
    else {
      this.pongs.push(length);
      this.onPong();
    }
  }
}
