import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Ends a connection so that its peer sees an error and no regular end, wherever TCP can still say so. Node's own
 * `resetAndDestroy` keeps the descriptor open for ever once the end has been sent (libuv resets nothing after a
 * shutdown, and Node lets go of the handle all the same), and knows no TLS.
 */
export function resetSocket(socket: Socket): void {
  const isEndSent = socket.writableEnded && socket.writableLength === 0;
  if (isEndSent || socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
