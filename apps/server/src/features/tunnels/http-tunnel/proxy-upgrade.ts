import { request as httpRequest, type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { joinStreams } from '@pult/link';
import { type RawHeaders, requestHeaders, responseHeaders } from './headers.ts';
import type { ProxyTarget } from './proxy.ts';

function head(status: number, message: string | undefined, headers: RawHeaders): string {
  let text = `HTTP/1.1 ${status} ${message || STATUS_CODES[status] || ''}\r\n`;
  for (let index = 0; index + 1 < headers.length; index += 2)
    text += `${headers[index]}: ${headers[index + 1]}\r\n`;
  return `${text}\r\n`;
}

/**
 * Carries an upgrade (a WebSocket) to the device over a connection of its own, and after the device's 101 the
 * bytes both ways. A device that answers otherwise has its answer carried back.
 */
export function proxyUpgrade(
  request: IncomingMessage,
  socket: Duplex,
  early: Buffer,
  target: Omit<ProxyTarget, 'agent'> & { connection: Duplex },
): void {
  const outgoing = httpRequest({
    createConnection: () => target.connection,
    method: request.method,
    path: request.url,
    headers: [
      ...requestHeaders(request, target.forwardedBy, target.isOwnCookie),
      'Connection',
      'Upgrade',
      'Upgrade',
      request.headers.upgrade ?? 'websocket',
    ],
    setHost: false,
  });
  const timer = setTimeout(() => outgoing.destroy(new Error('no answer')), target.answerTimeoutMs);
  const cut = () => {
    clearTimeout(timer);
    socket.destroy();
    target.connection.destroy();
  };
  const headersOf = (incoming: IncomingMessage) =>
    responseHeaders(incoming, target.tunnelOrigin, target.isOwnCookie);

  outgoing.on('upgrade', (incoming, connection, first) => {
    clearTimeout(timer);
    const headers = [...headersOf(incoming), 'Connection', 'Upgrade'];
    headers.push('Upgrade', incoming.headers.upgrade ?? 'websocket');
    socket.write(head(101, incoming.statusMessage, headers));
    if (first.length > 0) socket.write(first);
    if (early.length > 0) connection.write(early);
    joinStreams(socket, connection);
  });
  outgoing.on('response', (incoming) => {
    clearTimeout(timer);
    const headers = [...headersOf(incoming), 'Connection', 'close'];
    // The body follows as the device wrote it; the end of the connection is the end of the body.
    socket.write(head(incoming.statusCode ?? 502, incoming.statusMessage, withoutLength(headers)));
    incoming.pipe(socket);
    incoming.on('error', cut);
  });
  outgoing.on('error', cut);
  socket.on('close', () => {
    clearTimeout(timer);
    outgoing.destroy();
  });
  outgoing.end();
}

function withoutLength(headers: RawHeaders): RawHeaders {
  return headers.filter((_, index) => headers[index - (index % 2)]?.toLowerCase() !== 'content-length');
}
