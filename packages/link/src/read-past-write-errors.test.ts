import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { readPastWriteErrors } from './read-past-write-errors.ts';

const server = createServer();
afterEach(() => new Promise((resolve) => server.close(resolve)));

async function listen(onConnection: (socket: Socket) => void): Promise<Socket> {
  server.once('connection', onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  await once(socket, 'connect');
  return socket;
}

test('an answer is read though every write fails', async () => {
  const socket = await listen((refusing) => {
    refusing.on('error', () => {});
    // What it was sent is never read: the system answers its close with a reset.
    refusing.pause();
    setTimeout(() => refusing.write('too large', () => refusing.destroy()), 20);
  });
  socket.on('error', () => {});
  readPastWriteErrors(socket);
  socket.write('POST');
  await wait(60);
  const batch = Array.from({ length: 4 }, () => Buffer.alloc(16 * 1024));
  socket.cork();
  for (const piece of batch) socket.write(piece);
  socket.uncork();
  socket.write('more');
  await wait(20);
  socket.write('and more');
  let heard = '';
  socket.on('data', (bytes) => {
    heard += bytes;
  });
  await once(socket, 'close');
  expect(heard).toBe('too large');
});

test('a socket that takes all is written to as before, alone and in batches', async () => {
  let received: Promise<string> | undefined;
  const socket = await listen((taking) => {
    received = text(taking);
    taking.end();
  });
  readPastWriteErrors(socket);
  socket.resume();
  socket.write('a');
  socket.cork();
  socket.write('b');
  socket.write('c');
  socket.uncork();
  socket.end('d');
  await once(socket, 'close');
  expect(await received).toBe('abcd');
});
