import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Ends a connection so that its peer sees an error and no regular end, as long as the end is not on its way already. Node's
 * own `resetAndDestroy` would then keep the descriptor open for ever (libuv resets nothing during a shutdown, and Node
 * lets go of the handle all the same), and it knows no TLS.
 */
export function resetSocket(socket: Socket): void {
  const isEnding = socket.writableEnded && socket.writableLength === 0;
  if (isEnding || socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}
