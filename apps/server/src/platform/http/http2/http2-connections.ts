import {
  constants,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { FrameGuard } from './frame-guard.ts';
import type { UnlawfulFrameError } from './frame-rules.ts';
import { maxPayloadBytes } from './frames.ts';
import { createHostCheck } from './host-check.ts';
import { createKeptBytes, type KeptBytes } from './kept-bytes.ts';
import { maxAnswerHeaderBytes, type RelayedStream, relayStream } from './relay-stream.ts';

/** Requests of one connection at a time; browsers wait with the others. */
const maxStreams = 100;
/** What a client may send of a body before it is read, so that a fast line is used; of all bodies of a connection together. */
const uploadWindow = { stream: 256 * 1024, connection: 1024 * 1024 };

interface Http2Options {
  /** Gives a connection of HTTP/1.1 to the server: each request has one. */
  serve(connection: Duplex): void;
  headersTimeoutMs: number;
  /** For which a connection may be without a request, in milliseconds. */
  idleMs: number;
}

/** The connections of browsers that speak HTTP/2. */
export interface Http2Connections {
  accept(socket: TLSSocket): void;
  /** From now on a connection ends with the requests that it carries. */
  leave(): void;
  /** Resolves when no request is being answered. */
  whenIdle(): Promise<void>;
}

/** `performServerHandshake` takes any stream, and any of these; its types know neither. */
type PerformHandshake = (
  socket: Duplex,
  options: Parameters<typeof performServerHandshake>[1] & {
    streamResetBurst: number;
    streamResetRate: number;
  },
) => ServerHttp2Session;

export function createHttp2Connections(options: Http2Options): Http2Connections {
  const connections = new Set<Http2Connection>();
  const kept: KeptBytes = createKeptBytes();
  const waiting: (() => void)[] = [];
  let isLeaving = false;

  const isIdle = () => [...connections].every(({ hasRequests }) => !hasRequests);
  function onRequestOver(): void {
    if (waiting.length > 0 && isIdle()) for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    accept(socket) {
      const connection = new Http2Connection(socket, {
        ...options,
        onRequestOver,
        onClose() {
          connections.delete(connection);
          kept.remove(connection);
          onRequestOver();
        },
      });
      connections.add(connection);
      kept.add(connection);
      if (isLeaving) connection.leave();
    },
    leave() {
      isLeaving = true;
      for (const connection of connections) connection.leave();
    },
    whenIdle: () => new Promise((resolve) => (isIdle() ? resolve() : waiting.push(resolve))),
  };
}

interface ConnectionOptions extends Http2Options {
  onRequestOver(): void;
  onClose(): void;
}

/** Of one browser. Nothing here ends the session of nghttp2: it ends with the socket under it, and with nothing else. */
class Http2Connection {
  readonly #guard: FrameGuard;
  readonly #session: ServerHttp2Session;
  readonly #options: ConnectionOptions;
  readonly #streams = new Map<ServerHttp2Stream, RelayedStream | undefined>();
  #idle: NodeJS.Timeout;
  #isLeaving = false;

  constructor(socket: TLSSocket, options: ConnectionOptions) {
    this.#options = options;
    const { servername, remoteAddress, remotePort, remoteFamily } = socket;
    const client = { servername: servername || '', remoteAddress, remotePort, remoteFamily };
    const relayOptions = { client, serve: options.serve, isFor: createHostCheck(socket) };
    this.#guard = new FrameGuard(socket, {
      headersTimeoutMs: options.headersTimeoutMs,
      onGoaway: () => this.leave(),
      onClose: () => {
        clearTimeout(this.#idle);
        options.onClose();
      },
    });
    this.#idle = setTimeout(() => this.leave(), options.idleMs);
    this.#session = (performServerHandshake as unknown as PerformHandshake)(this.#guard, {
      settings: {
        enablePush: false,
        initialWindowSize: uploadWindow.stream,
        maxConcurrentStreams: maxStreams,
        maxFrameSize: maxPayloadBytes,
        maxHeaderListSize: 32 * 1024,
      },
      maxHeaderListPairs: 256,
      // nghttp2 reckons with 12 bytes more for each field.
      maxSendHeaderBlockLength: 4 * maxAnswerHeaderBytes,
      maxSessionInvalidFrames: 100,
      maxSessionRejectedStreams: maxStreams,
      streamResetBurst: 1_000,
      streamResetRate: 200,
    });
    this.#session.setLocalWindowSize(uploadWindow.connection);
    // The end of the socket follows, or has been.
    this.#session.on('error', () => this.#guard.cut());
    this.#session.on('close', () => this.#guard.cut());
    const onStream = (stream: ServerHttp2Stream, _headers: unknown, _flags: unknown, raw: string[]) => {
      // Whatever breaks it, 'close' follows; an error that nobody hears would end the process.
      stream.on('error', () => {});
      // Given up before Node told of it, so that its 'close' may have been.
      if (stream.destroyed) return this.#countReset();
      clearTimeout(this.#idle);
      this.#streams.set(stream, undefined);
      stream.once('close', () => this.#forget(stream));
      this.#streams.set(stream, relayStream(stream, raw, relayOptions));
    };
    this.#session.on('stream', onStream);
  }

  get hasRequests(): boolean {
    return this.#streams.size > 0;
  }

  /** What is kept of requests that are not read, in bytes. */
  countUploads(): number {
    return this.#sum((relayed) => relayed.countUpload());
  }

  /** What is kept of answers that the client does not read, in bytes. */
  countAnswers(): number {
    return this.#sum((relayed) => relayed.countAnswer());
  }

  hold(isHeld: boolean): void {
    this.#guard.hold(isHeld);
  }

  cut(): void {
    this.#guard.cut();
  }

  /** Takes no more requests, and ends with the last of those there are. */
  leave(): void {
    if (!this.#isLeaving && !this.#session.destroyed) this.#session.goaway(constants.NGHTTP2_NO_ERROR);
    this.#isLeaving = true;
    this.#finishIfDone();
  }

  #forget(stream: ServerHttp2Stream): void {
    const relayed = this.#streams.get(stream);
    if (!this.#streams.delete(stream)) return;
    if (stream.rstCode !== constants.NGHTTP2_NO_ERROR && !relayed?.hasFailed) this.#countReset();
    if (!this.hasRequests && !this.#guard.destroyed)
      this.#idle = setTimeout(() => this.leave(), this.#options.idleMs);
    this.#finishIfDone();
    this.#options.onRequestOver();
  }

  /** A client can also make the server give up requests, by what it sends for them. */
  #countReset(): void {
    try {
      this.#guard.rules.countReset();
    } catch (error) {
      this.#guard.cut(error as UnlawfulFrameError);
    }
  }

  #finishIfDone(): void {
    if (!this.#isLeaving || this.hasRequests) return;
    // What was said last is written by then.
    setImmediate(() => setImmediate(() => this.#guard.finish()));
  }

  #sum(count: (relayed: RelayedStream) => number): number {
    let sum = 0;
    for (const relayed of this.#streams.values()) if (relayed) sum += count(relayed);
    return sum;
  }
}
