import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type ChargePieces, ClientBrake } from '../../client-brake.ts';
import { sendKept } from './answer-cache.ts';
import { maxParsedHeadBytes, mendAnswer } from './answer-heads.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import type { Upstream } from './policy.ts';
import { endsWithItsHead, hasBody, mayHaveStrayBody } from './request-body.ts';
import { isReset, UnreadableAnswerError, UpstreamTimeoutError } from './upstream-error.ts';

interface ProxyEvents {
  /** Nothing of the upstream's answer is out yet: a page may tell what went wrong. */
  onFailure: (error: Error) => void;
  /** The upstream's connection, or what else the answer comes from. */
  onConnection: (connection: Readable) => void;
  /** The answer is a stream of events, which ends when somebody ends it. */
  onEventStream: () => void;
  /** Bytes of the body that came for the upstream, and of its answer's. */
  onBytes: (bytesIn: number, bytesOut: number) => void;
  /** Short pieces of the body, and of an answer in chunks or over TLS. */
  onPieces: ChargePieces;
}

/**
 * Of chunks, and of records of TLS, the upstream sends as many as it likes in what costs one read; the pieces of any other answer are
 * those reads, which a device's link counts itself.
 */
const comesInPieces = ({ headers, socket }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || socket instanceof TLSSocket;

/**
 * The upstream closed an idle connection just as we took it from the pool: not a failure, a race. What goes over a used connection
 * may be sent twice: nothing happens by a GET (RFC 9110, section 9.2.2).
 */
function isStale(outgoing: ClientRequest, error: Error): boolean {
  return outgoing.reusedSocket && isReset(error);
}

/**
 * Pipes one request to the upstream and its answer back. A failure in the middle of the answer cuts the browser's
 * connection, so that no one takes half an answer for a whole one.
 */
export function proxyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  upstream: Pick<Upstream, 'pool' | 'headers' | 'limits' | 'checkAnswer' | 'cache'>,
  { onFailure, onConnection, onEventStream, onBytes, onPieces }: ProxyEvents,
): void {
  const { pool, limits } = upstream;
  const isShared = endsWithItsHead(request);
  const headers = requestHeaders(request, upstream.headers);
  let exchange = upstream.cache?.(request, headers);
  if (exchange?.fresh) {
    sendKept(request, response, exchange.fresh, onConnection);
    return;
  }
  let outgoing: ClientRequest | undefined;
  let hasAnswered = false;
  let hasFailed = false;

  const timer = setTimeout(() => fail(new UpstreamTimeoutError()), limits.answerTimeoutMs);
  request.on('data', (chunk: Buffer) => {
    if (limits.allowsLongUploads) timer.refresh();
    onBytes(chunk.length, 0);
  });

  function fail(error: Error): void {
    if (hasFailed) return;
    hasFailed = true;
    clearTimeout(timer);
    // One that waits for a connection is sent for all that.
    if (outgoing) pool.end(outgoing);
    // What is left of an upload has nowhere to go; unread, it would keep the browser from reading the page.
    request.unpipe();
    request.resume();
    if (hasAnswered) response.destroy();
    // Who has left is told nothing, and no upstream is blamed for it.
    else if (!response.destroyed) onFailure(error);
    hasAnswered = true;
  }

  function answer(incoming: IncomingMessage, isClean: () => boolean): void {
    const answerHeaders = responseHeaders(incoming, upstream.headers);
    const kept = exchange?.take(incoming, answerHeaders, isClean);
    if (kept) incoming.resume();
    if (kept === 'unconfirmed') {
      exchange = undefined;
      send();
      return;
    }
    clearTimeout(timer);
    if (kept) {
      sendKept(request, response, kept, onConnection);
      hasAnswered = true;
      return;
    }
    response.sendDate = false;
    // The status's own words are the upstream's, and may hold what Node refuses to send.
    response.writeHead(incoming.statusCode ?? 502, answerHeaders);
    hasAnswered = true;
    onConnection(incoming.socket);
    // Headers go out at once, not with the first byte of the body, but together with what has come already: one write
    // for a small answer. flushHeaders() would send them as UTF-8.
    response.cork();
    let isCorked = true;
    const uncork = () => {
      if (isCorked) response.uncork();
      isCorked = false;
    };
    setImmediate(uncork);
    response.write(Buffer.alloc(0));
    if (incoming.headers['content-type']?.startsWith('text/event-stream')) onEventStream();
    incoming.on('data', (chunk: Buffer) => onBytes(0, chunk.length));
    // By hand, because `stream.pipeline` makes and aborts a signal each time: an eighth of a small request.
    incoming.on('error', () => response.destroy());
    incoming.on('close', () => {
      if (!incoming.complete) response.destroy();
    });
    // Node.js from 22 on sends the end of a chunked answer before the chunks that a cork holds: what follows the end would be
    // taken for the next answer. The socket keeps all of it for one write until the end is out.
    const body: Readable = comesInPieces(incoming) ? incoming.pipe(new ClientBrake(onPieces)) : incoming;
    body.once('end', () => {
      response.socket?.cork();
      uncork();
    });
    body.pipe(response);
  }

  /** Ends the connection with an answer: neither is it used again, nor does the rest of an upload go on. */
  function closeWith(attempt: ClientRequest, incoming: IncomingMessage): void {
    attempt.shouldKeepAlive = false;
    incoming.once('end', () => {
      attempt.destroy();
      request.unpipe();
      request.resume();
    });
  }

  function send(): void {
    const attempt = httpRequest({
      agent: isShared ? pool.shared : pool.single,
      method: request.method,
      path: request.url,
      headers: exchange ? [...headers, ...exchange.condition] : headers,
      setHost: false,
      maxHeaderSize: maxParsedHeadBytes,
    });
    outgoing = attempt;
    const head = mendAnswer(attempt, fail);
    let received: IncomingMessage | undefined;
    attempt.on('response', (incoming) => {
      received = incoming;
      // An answer that began before its request was out may be one to something else.
      const mayGoOn = isShared && attempt.writableFinished && !head.isRepaired;
      if (!mayGoOn || mayHaveStrayBody(incoming)) closeWith(attempt, incoming);
      try {
        upstream.checkAnswer?.(incoming, request);
        answer(incoming, () => !head.isRepaired);
      } catch (error) {
        // A status or a header that HTTP does not know, or an answer that leads nowhere.
        incoming.destroy();
        fail(error as Error); // nothing else is thrown
      }
    });
    attempt.on('error', (error) => {
      // Of what stands behind a whole answer, as where its length is too small: that is the end of the connection alone.
      if (received?.complete) return;
      if (!hasAnswered && isStale(attempt, error) && !response.destroyed) send();
      else fail(error);
    });
    attempt.on('close', () => {
      if (attempt === outgoing && !hasAnswered) fail(new UnreadableAnswerError('noAnswer'));
    });
    if (hasBody(request)) request.pipe(new ClientBrake(onPieces)).pipe(attempt);
    else attempt.end();
  }

  // The browser left: the upstream need not go on, neither with an answer nor with an upload.
  response.on('close', () => {
    clearTimeout(timer);
    if (outgoing && !response.writableFinished) pool.end(outgoing);
  });
  request.on('close', () => {
    if (outgoing && !request.complete) pool.end(outgoing);
  });
  try {
    send();
  } catch (error) {
    // A path or a header that Node refuses to send.
    fail(error as Error); // request() throws nothing else
  }
}
