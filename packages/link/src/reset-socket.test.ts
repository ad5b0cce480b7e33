import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resetSocket } from './reset-socket.ts';

const received = new Set<Socket>();
const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {});
  received.add(socket);
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  for (const socket of received) socket.destroy();
  server.close();
});

/** Our end of a connection, and the other's. */
async function open(): Promise<[Socket, Socket]> {
  // A listening TCP server has an address object.
  const { port } = server.address() as AddressInfo;
  const accepted = once(server, 'connection');
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  const [other] = (await accepted) as [Socket];
  return [socket, other];
}

it('a reset is an error for the peer', async () => {
  const [socket, other] = await open();
  const data = once(other, 'data');
  socket.write('half of it');
  await data;
  const error = once(other, 'error');
  resetSocket(socket);
  expect((await error)[0]).toMatchObject({ code: 'ECONNRESET' });
});

it.each([
  ['is being sent', (socket: Socket) => socket.end('all of it')],
  ['waits behind what the peer does not read', (socket: Socket) => socket.end(Buffer.alloc(20_000_000))],
])('leaves no descriptor open while the end %s', async (_, end) => {
  const sockets: Socket[] = [];
  for (let number = 0; number < 20; number++) sockets.push((await open())[0]);
  const count = async () => (await readdir('/proc/self/fd')).length;
  const before = await count();
  for (const socket of sockets) {
    const closed = once(socket, 'close');
    end(socket);
    resetSocket(socket);
    await closed;
  }
  expect(await count()).toBeLessThanOrEqual(before - sockets.length);
});

it('ends a connection with TLS, which knows no reset, as well', async () => {
  const [socket] = await open();
  const secure = new TLSSocket(socket);
  secure.on('error', () => {});
  const closed = once(secure, 'close');
  resetSocket(secure);
  await closed;
});
