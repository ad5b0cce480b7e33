import { type IncomingMessage, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { LinkRefusal } from './messages.ts';
import { LINK_PROTOCOL, LINK_SUBPROTOCOL } from './protocol.ts';
import { createLinkWebSocketStream, webSocketOptions } from './web-socket-stream.ts';

const webSockets = new WebSocketServer({
  ...webSocketOptions,
  noServer: true,
  clientTracking: false,
  handleProtocols: (offered) => (offered.has(LINK_SUBPROTOCOL) ? LINK_SUBPROTOCOL : false),
});

/** What the answer to a WebSocket's handshake says besides. */
const answerHeaders = new WeakMap<IncomingMessage, Readonly<Record<string, string>>>();
webSockets.on('headers', (lines, request) => {
  for (const [name, value] of Object.entries(answerHeaders.get(request) ?? {}))
    lines.push(`${name}: ${value}`);
});

/** Which kind of link an upgrade request asks for; null when it is none of ours. */
export function getLinkTransport(request: IncomingMessage): 'upgrade' | 'websocket' | null {
  const wanted = request.headers.upgrade?.toLowerCase();
  if (wanted === LINK_PROTOCOL) return 'upgrade';
  return wanted === 'websocket' ? 'websocket' : null;
}

/**
 * Accepts a connection of either kind, with these headers in the answer. Rejects when the peer is gone or sent a broken
 * WebSocket handshake.
 */
export async function acceptLink(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Promise<Duplex> {
  if (getLinkTransport(request) !== 'websocket') return acceptUpgrade(socket, head, headers);
  answerHeaders.set(request, headers);
  return acceptWebSocket(request, socket, head);
}

/** Answers 101 and gives the very socket. */
export function acceptUpgrade(
  socket: Duplex,
  head: Buffer,
  headers: Readonly<Record<string, string>> = {},
): Duplex {
  prepareSocket(socket);
  if (head.length > 0) socket.unshift(head);
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n${formatHeaders(headers)}\r\n`,
  );
  return socket;
}

function formatHeaders(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
}

/** Completes the WebSocket handshake; the stream carries the same bytes in binary messages. */
export function acceptWebSocket(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<Duplex> {
  prepareSocket(socket);
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('the WebSocket handshake failed'));
    // ws answers a broken handshake itself and closes the socket.
    socket.once('close', onClose);
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      socket.off('close', onClose);
      resolve(createLinkWebSocketStream(webSocket, socket));
    });
  });
}

/**
 * Answers an upgrade request with an error the agent understands, and closes; the connection is left open for `stayInHttp`, where that is
 * told: what the device asks next comes over it. Further headers as they are.
 */
export function refuseLink(
  socket: Duplex,
  status: number,
  refusal: LinkRefusal,
  headers: Readonly<Record<string, string>> = {},
  stayInHttp?: () => void,
): void {
  socket.on('error', () => {});
  const body = JSON.stringify(refusal);
  const answer =
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\n` +
    formatHeaders(headers) +
    `Connection: ${stayInHttp ? 'keep-alive' : 'close'}\r\nContent-Type: application/json; charset=utf-8\r\n` +
    `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  if (stayInHttp) {
    socket.write(answer);
    stayInHttp();
    return;
  }
  socket.end(answer, () => socket.destroy());
}

/** Until the link owns the socket, an error on it must not end the process. */
function prepareSocket(socket: Duplex): void {
  socket.on('error', () => {});
  if (!(socket instanceof Socket)) return;
  socket.setTimeout(0);
  socket.setNoDelay(true);
}
