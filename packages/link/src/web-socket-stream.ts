import type { Duplex } from 'node:stream';
import { createWebSocketStream, type WebSocket } from 'ws';

/** The link already limits and frames its bytes: no compression, and no message above 1 MB. */
export const webSocketOptions = { perMessageDeflate: false, maxPayload: 1 << 20 };

/** The link's bytes inside binary messages; counts them as a socket does, for whoever counts traffic. */
export function createLinkWebSocketStream(webSocket: WebSocket, socket: Duplex): Duplex {
  const stream = createWebSocketStream(webSocket, { readableHighWaterMark: 256 * 1024 });
  const count = (name: 'bytesRead' | 'bytesWritten') =>
    Object.defineProperty(stream, name, { get: () => (name in socket ? Reflect.get(socket, name) : 0) });
  count('bytesRead');
  count('bytesWritten');
  stream.on('error', () => {});
  return stream;
}
