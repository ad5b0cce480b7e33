import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that counts what passes, both ways, and in how many pieces. */
export interface ByteCounter extends AsyncDisposable {
  readonly bytes: number;
  readonly pieces: number;
}

export async function startByteCounter(port: number, targetPort: number): Promise<ByteCounter> {
  let bytes = 0;
  let pieces = 0;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (inbound) => {
    const outbound = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        bytes += chunk.length;
        pieces += 1;
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    get bytes() {
      return bytes;
    },
    get pieces() {
      return pieces;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
