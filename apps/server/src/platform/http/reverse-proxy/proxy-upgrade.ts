import { request as httpRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type ChargePieces, ClientBrake } from '../../client-brake.ts';
import { joinStreams, resetSocket } from '../../streams.ts';
import { maxParsedHeadBytes, mendAnswer } from './answer-heads.ts';
import { type RawHeaders, requestHeaders, responseHeaders } from './headers.ts';
import type { Upstream } from './policy.ts';
import { UpstreamTimeoutError } from './upstream-error.ts';

interface UpgradeEvents {
  /** Nothing of an answer is out. */
  onFailure: (error: Error) => void;
  /** From now on bytes go both ways. */
  onJoined: () => void;
  /** Short pieces that came from the client, of an answer that is no 101, and of all that comes over TLS. */
  onPieces: ChargePieces;
}

function writeHead(socket: Duplex, status: number, headers: RawHeaders): void {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  // Header values are bytes that Node reads as latin1.
  socket.write(`${text}\r\n`, 'latin1');
}

/**
 * Pipes an upgrade (a WebSocket) to the upstream over a connection of its own, and after the upstream's 101 the bytes
 * both ways. An upstream that answers otherwise has its answer piped back.
 */
export function proxyUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  early: Buffer,
  upstream: Pick<Upstream, 'headers' | 'limits'> & { connection: Duplex },
  { onFailure, onJoined, onPieces }: UpgradeEvents,
): void {
  const { connection, limits } = upstream;
  let hasAnswered = false;
  let hasFailed = false;
  // Until the request listens, and after it has let go.
  connection.on('error', () => {});
  const outgoing = httpRequest({
    createConnection: () => connection,
    method: request.method,
    path: request.url,
    headers: [
      ...requestHeaders(request, upstream.headers),
      'Connection',
      'Upgrade',
      'Upgrade',
      request.headers.upgrade ?? 'websocket',
    ],
    setHost: false,
    maxHeaderSize: maxParsedHeadBytes,
  });
  mendAnswer(outgoing, fail, { isAlone: true });
  const timer = setTimeout(() => outgoing.destroy(new UpstreamTimeoutError()), limits.answerTimeoutMs);

  outgoing.on('upgrade', (incoming, _, first) => {
    clearTimeout(timer);
    hasAnswered = true;
    const headers = [...responseHeaders(incoming, upstream.headers), 'Connection', 'Upgrade'];
    headers.push('Upgrade', incoming.headers.upgrade ?? 'websocket');
    writeHead(socket, 101, headers);
    if (first.length > 0) socket.write(first);
    if (early.length > 0) connection.write(early);
    joinStreams(socket, connection, {
      there: new ClientBrake(onPieces),
      // Of records the upstream sends as many as it likes in what costs one read.
      back: connection instanceof TLSSocket ? new ClientBrake(onPieces) : undefined,
    });
    onJoined();
  });
  let received: IncomingMessage | undefined;
  outgoing.on('response', (incoming) => {
    received = incoming;
    clearTimeout(timer);
    hasAnswered = true;
    pipeAnswer(incoming, socket, responseHeaders(incoming, upstream.headers), onPieces);
  });

  function fail(error: Error): void {
    if (hasFailed) return;
    hasFailed = true;
    clearTimeout(timer);
    outgoing.destroy();
    connection.destroy();
    if (hasAnswered) cutSocket(socket);
    else onFailure(error);
    hasAnswered = true;
  }
  outgoing.on('error', (error) => {
    // Of what stands behind a whole answer.
    if (!received?.complete) fail(error);
  });
  socket.on('close', () => {
    clearTimeout(timer);
    outgoing.destroy();
    connection.destroy();
  });
  outgoing.end();
}

/** An answer that is no 101, by hand: the socket is no HTTP connection of Node's any more. */
function pipeAnswer(
  incoming: IncomingMessage,
  socket: Duplex,
  headers: RawHeaders,
  onPieces: ChargePieces,
): void {
  // Without a length, as in an answer that came in chunks, the end of the connection is the end of the body.
  writeHead(socket, incoming.statusCode ?? 502, [...headers, 'Connection', 'close']);
  incoming.on('error', () => cutSocket(socket));
  incoming.on('end', () => {
    socket.resume();
    socket.once('end', () => socket.destroy());
  });
  incoming.pipe(new ClientBrake(onPieces)).pipe(socket);
}

/** A plain close would look like the end of the body. */
function cutSocket(socket: Duplex): void {
  if (socket instanceof Socket) resetSocket(socket);
  else socket.destroy();
}
