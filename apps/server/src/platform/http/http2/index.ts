import type { Server } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { createHttp2Connections, type Http2Connections } from './http2-connections.ts';

export type { Http2Connections } from './http2-connections.ts';
export { ServedConnection } from './memory-connection.ts';

/**
 * Takes the connections of TLS clients that have chosen HTTP/2 from the server, which is to offer `h2`, and brings it
 * their requests over connections of HTTP/1.1. To be called when all listen that take a connection.
 */
export function addHttp2(
  server: Server,
  times: { headersTimeoutMs: number; idleMs: number },
): Http2Connections {
  const takers = server.listeners('secureConnection') as ((socket: unknown) => void)[];
  server.removeAllListeners('secureConnection');
  const serve = (connection: unknown) => {
    for (const take of takers) take.call(server, connection);
  };
  const http2 = createHttp2Connections({ ...times, serve });
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket);
    else serve(socket);
  });
  return http2;
}
