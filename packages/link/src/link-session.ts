import { constants, type Http2Session, type Http2Stream } from 'node:http2';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { cutStream } from './cut-stream.ts';
import { type LinkCloseReason, linkCloseReasons, ServiceError } from './link-error.ts';
import { type LivenessOptions, watchLiveness } from './liveness.ts';
import { countSmallPieces } from './small-pieces.ts';

/** Time a peer gets to close its side after our goodbye. */
const GOODBYE_MS = 1000;

/** A goodbye of the peer; `graceMs` is the time over which a fleet should spread its return. */
export interface Goodbye {
  reason: LinkCloseReason;
  graceMs: number;
}

/** What both ends do alike: one reason for the end, goodbyes, liveness, and a socket surely closed. */
export interface LinkSession {
  readonly closed: Promise<LinkCloseReason>;
  /** True once nothing new may be opened. */
  isClosing(): boolean;
  getBytesIn(): number;
  getBytesOut(): number;
  /** Has the stream cut with an error when the link closes. */
  track(stream: Http2Stream): void;
  /** What a reader of a cut stream is told. */
  describeCut(cause: Error | undefined): ServiceError;
  /** Closes the link of a peer that sends more small pieces than any honest one. */
  countPiece(bytes: number): void;
  /** Asks the peer to leave; what is open may finish. */
  sayGoodbye(goodbye: Goodbye): void;
  /** Cuts what is open, tells the peer why, and closes: at once for a dead or lying peer. */
  close(reason: LinkCloseReason): void;
}

interface LinkSessionOptions extends LivenessOptions {
  onGoodbye?: (goodbye: Goodbye) => void;
  /** Not of the cloud: what it sends may come from many people. */
  endsFloods?: boolean;
}

type CountedSocket = Duplex & { bytesRead?: number; bytesWritten?: number };

export function holdLinkSession(
  session: Http2Session,
  socket: CountedSocket,
  options: LinkSessionOptions,
): LinkSession {
  let reason: LinkCloseReason | undefined;
  let isClosing = false;
  let isLeaving = false;
  const streams = new Set<Http2Stream>();
  let resolveClosed: (reason: LinkCloseReason) => void = () => {};
  const closed = new Promise<LinkCloseReason>((resolve) => {
    resolveClosed = resolve;
  });
  const getBytesIn = () => socket.bytesRead ?? 0;

  let goodbyeTimer: NodeJS.Timeout | undefined;
  const finishSoon = () => {
    goodbyeTimer ??= setTimeout(finish, GOODBYE_MS);
  };

  const finish = () => {
    clearTimeout(goodbyeTimer);
    isClosing = true;
    reason ??= 'transport';
    socket.destroy();
    resolveClosed(reason);
  };

  const destroySession = session.destroy.bind(session);
  /**
   * With the socket first: while it lives, Node tells nghttp2 to terminate and still feeds it what is left of the bytes just
   * read, and the next frame of a wrong length then aborts the whole process (assertion in nghttp2_session_mem_recv2).
   */
  const destroyNow: Http2Session['destroy'] = (error, code) => {
    if (session.destroyed) return;
    // A WebSocket is read through a wrapper of Node's, whose own `destroy` cannot be reached. Its end is no news.
    if (!(socket instanceof Socket)) session.socket[Symbol.asyncDispose]().catch(() => {});
    socket.destroy();
    destroySession(error, code);
  };

  const cutStreams = () => {
    for (const stream of streams) cutStream(stream);
  };

  const close = (why: LinkCloseReason) => {
    if (session.destroyed) {
      // Node waits for its last bytes to leave before it closes; on a dead line they never do.
      finish();
      return;
    }
    const isPeerGone = why === 'ping_timeout' || why === 'transport' || why === 'protocol';
    reason ??= why;
    isClosing = true;
    cutStreams();
    if (isPeerGone) {
      destroyNow();
      finish();
      return;
    }
    session.goaway(constants.NGHTTP2_NO_ERROR, 0, formatGoodbye({ reason: why, graceMs: 0 }));
    session.close();
    finishSoon();
  };

  // Once a goodbye was said and no stream is open, Node stops reading: it would never see the peer leave.
  const leaveWhenIdle = () => {
    if (!isLeaving || streams.size > 0) return;
    if (session.destroyed) finishSoon();
    else close(reason ?? 'transport');
  };

  const noteError = (error: NodeJS.ErrnoException) => {
    reason ??= error.code?.startsWith('ERR_HTTP2') ? 'protocol' : 'transport';
  };
  // Also when Node itself destroys the session: for an error at once, else once all is written.
  session.destroy = (error, code) => {
    if (error || code) destroyNow(error, code);
    else setImmediate(() => destroySession());
  };
  // An honest peer sends neither, and Node keeps each origin for the life of the session.
  session.on('origin', () => close('protocol'));
  session.on('altsvc', () => close('protocol'));
  session.on('error', noteError);
  // A broken session destroys its socket with its own error, and tells us only afterwards.
  socket.on('error', noteError);
  // Sockets of an HTTP server stay open after the peer's end, and a reset can arrive as a mere end.
  socket.on('end', () => close('transport'));
  session.on('goaway', (_code, _lastStreamId, data?: Uint8Array) => {
    isClosing = true;
    const goodbye = parseGoodbye(data);
    reason ??= goodbye?.reason;
    isLeaving = true;
    if (goodbye) options.onGoodbye?.(goodbye);
    setImmediate(leaveWhenIdle);
  });
  session.on('close', finish);
  socket.on('close', finish);
  watchLiveness(session, getBytesIn, options, () => close('ping_timeout'));

  return {
    closed,
    isClosing: () => isClosing || session.destroyed || session.closed,
    getBytesIn,
    getBytesOut: () => socket.bytesWritten ?? 0,
    track(stream) {
      streams.add(stream);
      stream.once('close', () => {
        streams.delete(stream);
        leaveWhenIdle();
      });
    },
    describeCut: (cause) =>
      isClosing || session.destroyed
        ? new ServiceError('link_closed', reason ?? 'transport')
        : new ServiceError('service_reset', cause?.message),
    countPiece: options.endsFloods
      ? countSmallPieces(() => {
          close('flood');
          // At once, and not after the goodbye: what has been read already is handled until then.
          destroyNow();
        })
      : () => {},
    sayGoodbye(goodbye) {
      if (session.destroyed || isClosing) return;
      isClosing = true;
      reason ??= goodbye.reason;
      session.goaway(constants.NGHTTP2_NO_ERROR, 0, formatGoodbye(goodbye));
      isLeaving = true;
      setImmediate(leaveWhenIdle);
    },
    close,
  };
}

function formatGoodbye({ reason, graceMs }: Goodbye): Buffer {
  return Buffer.from(`${reason} ${graceMs}`);
}

function parseGoodbye(data: Uint8Array | undefined): Goodbye | null {
  const [, word, digits] =
    /^([a-z_]{1,20}) ([0-9]{1,7})$/.exec(Buffer.from(data ?? []).toString('latin1')) ?? [];
  const reason = linkCloseReasons.find((known) => known === word);
  return reason ? { reason, graceMs: Number(digits) } : null;
}
