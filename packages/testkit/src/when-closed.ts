import type { Duplex } from 'node:stream';

/** The end of a socket by whatever reason: `once(socket, 'close')` rejects when an error comes first. */
export async function whenClosed(socket: Duplex): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}
