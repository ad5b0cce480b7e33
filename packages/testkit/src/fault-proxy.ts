import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { resetSocket } from '@pult/link';

/** From who connects to where the proxy leads, or back. */
export type FaultWay = 'there' | 'back';

type Pair = readonly [Socket, Socket];

export interface FaultProxyOptions {
  /** Where connections go. */
  target: { host: string; port: number };
  port?: number;
}

/** Of Ethernet, with timestamps. */
const segmentBytes = 1448;
/** A limited line passes its second in so many parts, so that little comes steadily and not much at times. */
const partsOfSecond = 20;
/** Bytes of one direction that may wait for their delay. */
const maxWaiting = 16 * 1024 * 1024;

/**
 * A TCP proxy on the loopback address whose connections can be broken in the ways networks break them. Settings may be
 * changed at any time and hold for all connections, both ways.
 */
export class FaultProxy implements AsyncDisposable {
  /** Milliseconds every piece waits before it goes on. */
  delayMs = 0;
  /** Up to so many milliseconds more for each piece, at random; the order stays, as TCP keeps it. */
  jitterMs = 0;
  /** Bytes a second of each direction of each connection. */
  bytesPerSecond = Number.POSITIVE_INFINITY;
  /** Pieces go on no larger than this, each in a segment of its own. */
  sliceBytes = Number.POSITIVE_INFINITY;
  /**
   * Share of segments that are lost on the way. A proxy ends TCP on both sides and can lose nothing, so it does what a
   * receiver sees of it: the piece, and all behind it, comes later by `retransmissionMs`. What a loss does to a sender's
   * window is not played, so a bulk transfer comes off better than over a real line.
   */
  lossShare = 0;
  retransmissionMs = 200;
  /** Bytes after which a direction resets its connection. */
  byteLimit = Number.POSITIVE_INFINITY;
  /** New connections are reset at once. */
  isRefusing = false;
  readonly #pairs = new Set<Pair>();
  /** Connections that let nothing pass that way for good, not even their end. */
  readonly #silent = new Map<Pair, readonly FaultWay[]>();
  readonly #server;
  #target;
  #isSilent = false;
  #wake: (() => void)[] = [];

  private constructor(options: FaultProxyOptions) {
    this.#target = options.target;
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (inbound) => this.#accept(inbound));
  }

  static async start(options: FaultProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(options);
    proxy.#server.listen(options.port ?? 0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    // A listening TCP server has an address object.
    return (this.#server.address() as AddressInfo).port;
  }

  get connections(): number {
    return this.#pairs.size;
  }

  /** Where new connections go from now on. */
  leadTo(port: number): void {
    this.#target = { ...this.#target, port };
  }

  /** Cuts every connection with a TCP reset at both ends. */
  reset(): void {
    for (const pair of this.#pairs) for (const socket of pair) resetSocket(socket);
  }

  /** The same to the connection that has been there longest, and no other. */
  resetOldest(): void {
    const [oldest = []] = this.#pairs;
    for (const socket of oldest) resetSocket(socket);
  }

  /** Closes both ends of every connection in the regular way, as a killed process's kernel does. */
  finish(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy();
  }

  /** Half-open: everything stays connected and nothing passes, as behind a router that lost its table. */
  silence(): void {
    this.#isSilent = true;
  }

  /** The same of the connections that there are, those ways: new ones pass, as after a NAT has forgotten the old. */
  silenceOpen(...ways: FaultWay[]): void {
    for (const pair of this.#pairs) this.#silent.set(pair, ways);
  }

  /** Ends a silence; what waited goes on. */
  resume(): void {
    this.#isSilent = false;
    for (const [pair] of this.#silent)
      if (pair.some(({ destroyed }) => destroyed)) for (const socket of pair) socket.destroy();
    this.#silent.clear();
    for (const wake of this.#wake.splice(0)) wake();
  }

  async stop(): Promise<void> {
    this.resume();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.finish();
    await closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  #accept(inbound: Socket): void {
    inbound.on('error', () => {});
    if (this.isRefusing) return void resetSocket(inbound);
    const outbound = connect({ ...this.#target, allowHalfOpen: true, noDelay: true });
    const pair: Pair = [inbound, outbound];
    this.#pairs.add(pair);
    const isSilent = (way: FaultWay) => this.#isSilent || (this.#silent.get(pair)?.includes(way) ?? false);
    for (const [socket, other, way] of [
      [inbound, outbound, 'there'],
      [outbound, inbound, 'back'],
    ] as const) {
      socket.on('error', () => {
        if (!this.#silent.has(pair)) resetSocket(other);
      });
      socket.on('close', () => {
        if (this.#silent.has(pair) && !other.destroyed) return;
        this.#pairs.delete(pair);
        this.#silent.delete(pair);
        if (!other.writableEnded) other.destroy();
      });
      this.#forward(socket, other, () => isSilent(way)).catch(() => other.destroy());
    }
  }

  /** Reads ahead of the delay, so that a delay alone does not limit the throughput; memory does, by `maxWaiting`. */
  async #forward(from: Socket, to: Socket, isSilent: () => boolean): Promise<void> {
    const waiting: { chunk: Buffer; due: number }[] = [];
    let bytesWaiting = 0;
    let hasEnded = false;
    let wake = () => {};
    const change = () =>
      new Promise<void>((resolve) => {
        wake = resolve;
      });
    to.on('drain', () => wake());
    to.on('close', () => wake());
    from.on('data', (chunk) => {
      waiting.push({ chunk, due: performance.now() + this.delayMs });
      bytesWaiting += chunk.length;
      if (bytesWaiting > maxWaiting) from.pause();
      wake();
    });
    from.on('end', () => {
      hasEnded = true;
      wake();
    });
    const drained = async () => {
      while (to.writableNeedDrain && !to.destroyed) await change();
    };
    let passed = 0;
    while (!to.destroyed) {
      const next = waiting.shift();
      if (!next) {
        if (hasEnded) break;
        await change();
        continue;
      }
      const { chunk, due } = next;
      const late = due + Math.random() * this.jitterMs + this.#getLossDelay(chunk.length) - performance.now();
      if (late > 0) await delay(late);
      while (isSilent()) await new Promise<void>((resolve) => this.#wake.push(resolve));
      const rest = this.byteLimit - passed;
      await this.#passOn(chunk.subarray(0, Math.max(0, rest)), to, drained);
      if (chunk.length > rest) {
        resetSocket(from);
        resetSocket(to);
        return;
      }
      passed += chunk.length;
      bytesWaiting -= chunk.length;
      if (bytesWaiting <= maxWaiting) from.resume();
    }
    while (isSilent()) await new Promise<void>((resolve) => this.#wake.push(resolve));
    to.end();
  }

  /** In pieces, and no faster than the line. */
  async #passOn(chunk: Buffer, to: Socket, drained: () => Promise<void>): Promise<void> {
    for (let offset = 0; offset < chunk.length && !to.destroyed; ) {
      const isLimited = this.bytesPerSecond < Number.POSITIVE_INFINITY;
      const share = isLimited ? Math.max(1, Math.floor(this.bytesPerSecond / partsOfSecond)) : chunk.length;
      const piece = chunk.subarray(offset, offset + Math.min(share, this.sliceBytes));
      offset += piece.length;
      to.write(piece);
      await drained();
      if (isLimited) await delay((piece.length / this.bytesPerSecond) * 1000);
      // Otherwise the system would join what was written in one go.
      else if (offset < chunk.length) await new Promise(setImmediate);
    }
  }

  #getLossDelay(bytes: number): number {
    if (this.lossShare === 0) return 0;
    const segments = Math.ceil(bytes / segmentBytes);
    return Math.random() < 1 - (1 - this.lossShare) ** segments ? this.retransmissionMs : 0;
  }
}
