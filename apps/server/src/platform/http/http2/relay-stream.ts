import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { constants, type ServerHttp2Stream, type ServerStreamResponseOptions } from 'node:http2';
import type { Duplex } from 'node:stream';
import { maxHeadBytes } from '../reverse-proxy/answer-heads.ts';
import { type ClientOfConnection, MemoryConnection } from './memory-connection.ts';
import { framingOf, readStreamRequest, toStreamHeaders } from './stream-headers.ts';

/** Of what the proxy takes of a device all passes, with what is added to it: marks of cookies, and white space. */
export const maxAnswerHeaderBytes = 4 * maxHeadBytes;

interface RelayOptions {
  client: ClientOfConnection;
  /** Gives a connection to the HTTP server. */
  serve(connection: Duplex): void;
  /** Whether the connection over which the stream came is one for that host: its certificate is. */
  isFor(host: string): boolean;
}

/** What is kept of one stream in this process, in bytes: of its request, and of its answer. */
export interface RelayedStream {
  countUpload(): number;
  countAnswer(): number;
  /** Whether it was given up on this side. */
  readonly hasFailed: boolean;
}

/** Answers on the stream itself what no request can be made of. */
function refuse(stream: ServerHttp2Stream, status: number): void {
  stream.respond({ ':status': status, 'content-length': '0' }, { endStream: true });
}

/** What Node itself answers to headers that are too long, or too late: it cuts the connection with it. */
function isBare({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/**
 * Makes of a stream a request of HTTP/1.1 to the server that is there, over a connection of its own in memory: whoever
 * is asked, by which cookie, and what may be answered is decided for each request there. Undefined where it was refused.
 */
export function relayStream(
  stream: ServerHttp2Stream,
  rawHeaders: readonly string[],
  { client, serve, isFor }: RelayOptions,
): RelayedStream | undefined {
  // Given up in the same turn.
  if (stream.closed || stream.destroyed) return undefined;
  const asked = readStreamRequest(rawHeaders);
  if (!asked || !isFor(asked.host)) {
    refuse(stream, asked ? 421 : 400);
    return undefined;
  }
  const { near, far } = MemoryConnection.createPair(client);
  // Until Node's HTTP listens, and after it has let go.
  near.on('error', () => {});
  far.on('error', () => {});
  const hasBody = !stream.endAfterHeaders;
  let request: ClientRequest;
  try {
    request = httpRequest({
      createConnection: () => near,
      method: asked.method,
      path: asked.path,
      headers: [...asked.headers, ...framingOf(asked, hasBody)],
      setHost: false,
      maxHeaderSize: maxAnswerHeaderBytes,
    });
  } catch {
    // A path or a header that HTTP/1.1 cannot say.
    refuse(stream, 400);
    return undefined;
  }
  // Node would leave out those beyond 2,000.
  request.maxHeadersCount = 0;
  serve(far);
  let answer: IncomingMessage | undefined;
  let hasFailed = false;

  /** Not by `close`: Node would end the stream before it resets it, and half an answer would look like a whole one. */
  function fail(): void {
    hasFailed = true;
    stream.destroy(new Error('the answer was cut'));
  }

  request.on('continue', () => {
    if (!stream.closed && !stream.headersSent) stream.additionalHeaders({ ':status': 100 });
  });
  request.on('response', (incoming) => {
    answer = incoming;
    incoming.on('error', fail);
    // A part of an answer must not look like the whole.
    incoming.on('close', () => incoming.complete || stream.writableEnded || fail());
    if (stream.closed || stream.destroyed) return void incoming.destroy();
    try {
      const headers = toStreamHeaders(incoming.statusCode ?? 502, incoming.rawHeaders);
      const endStream = isBare(incoming);
      stream.respond(headers, { sendDate: false, endStream } as ServerStreamResponseOptions);
      if (endStream) return void incoming.destroy();
    } catch {
      // A status that HTTP/2 does not know.
      incoming.destroy();
      if (!stream.headersSent) refuse(stream, 502);
      return;
    }
    incoming.pipe(stream);
  });
  request.on('error', () => {
    // What is left of an upload is not wanted any more once there is an answer.
    stream.unpipe(request);
    stream.resume();
    if (!answer) fail();
  });
  stream.on('finish', () => {
    // All was answered, whatever is still to come of the request.
    if (stream.headersSent && !stream.readableEnded && !stream.closed)
      stream.close(constants.NGHTTP2_NO_ERROR);
  });
  // Before it ends as one does that has come to its end.
  stream.on('aborted', () => near.destroy());
  stream.on('close', () => {
    request.destroy();
    near.destroy();
  });
  if (hasBody) {
    // Whoever is asked may answer, or refuse, before the body comes.
    request.flushHeaders();
    stream.pipe(request, { end: false });
    // A stream that was given up ends as one that has come to its end.
    stream.on('end', () => (stream.closed ? near.destroy() : request.end()));
  } else {
    stream.resume();
    request.end();
  }
  return {
    get hasFailed() {
      return hasFailed;
    },
    countUpload: () =>
      stream.readableLength + request.writableLength + near.writableLength + far.readableLength,
    countAnswer: () =>
      stream.writableLength + (answer?.readableLength ?? 0) + near.readableLength + far.writableLength,
  };
}
