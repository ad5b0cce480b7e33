import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Time a client gets to read the answer and to close its side. */
const lingerMs = 1_000;

/**
 * Answers on a raw socket, for requests that never became HTTP responses, and closes it. Sockets of an HTTP
 * server stay half open after our end, and no timeout of the server watches them any more.
 */
export function refuseUpgrade(socket: Duplex, status: number, body = ''): void {
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Refused'}\r\nconnection: close\r\n` +
      'content-type: application/json; charset=utf-8\r\n' +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // Unread bytes would turn our close into a reset, which can overtake the answer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('end', () => socket.destroy());
  socket.once('close', () => clearTimeout(timer));
}
