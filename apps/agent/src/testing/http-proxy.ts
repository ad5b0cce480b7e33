import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen } from '@pult/testkit/in-test';
import { onTestFinished } from 'vitest';

interface HttpProxyOptions {
  /** `user:password` it asks for. */
  login?: string;
  /** Its answer to everything, instead of a connection; 0 for none at all. */
  status?: number;
}

/** A proxy that knows CONNECT and nothing else. Every name leads to this machine. */
export async function createHttpProxy({ login, status }: HttpProxyOptions = {}) {
  const authorities: string[] = [];
  const sockets = new Set<Duplex>();
  const hold = (socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket, head) => {
    hold(socket);
    authorities.push(request.url ?? '');
    const expected = login && `Basic ${Buffer.from(login).toString('base64')}`;
    const isKnown = expected === undefined || request.headers['proxy-authorization'] === expected;
    const refusal = isKnown ? status : 407;
    if (refusal === 0) return;
    if (refusal !== undefined) {
      socket.end(`HTTP/1.1 ${refusal} No\r\nContent-Length: 3\r\n\r\nno\n`);
      return;
    }
    const outer = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      outer.write(head);
      outer.pipe(socket).pipe(outer);
    });
    hold(outer);
    outer.on('close', () => socket.destroy());
    socket.on('close', () => outer.destroy());
  });
  const port = await listen(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { address: `127.0.0.1:${port}`, authorities };
}
