import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, TLSSocket } from 'node:tls';
import { freePort, whenClosed } from '@pult/testkit';
import { testCertificate, testPrivateKey } from '@pult/testkit/certificates';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from './log.ts';
import { createStrangerListener, type StrangerListenerOptions } from './stranger-listener.ts';
import { createReadTcpAddress } from './tcp-client-address.ts';

const log = createLog('silent');
const pair = { cert: testCertificate, key: testPrivateKey };

interface Served {
  socket: Socket;
  address: string;
  release(): void;
}

async function start(options: Partial<StrangerListenerOptions> = {}) {
  const served: Served[] = [];
  const listener = createStrangerListener({
    name: 'PORT',
    tls: pair,
    bounds: { perNetwork: 100, inTotal: 100 },
    handshakeMs: 200,
    onConnection: (socket, address, release) => void served.push({ socket, address, release }),
    log,
    ...options,
  });
  const port = await freePort();
  await listener.listen('127.0.0.1', port);
  onTestFinished(() => {
    const closed = listener.close();
    listener.cutAll();
    return closed;
  });
  return { listener, served, port };
}

async function knock(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  return socket;
}

async function enter(port: number, localAddress = '127.0.0.1'): Promise<TLSSocket> {
  const socket = connectTls({
    socket: await knock(port, localAddress),
    ca: pair.cert,
    servername: 'localhost',
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

it.each([
  ['says nothing', Buffer.alloc(0)],
  ['says the beginning of a handshake', Buffer.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3])],
])('a connection that %s is closed after the time of a handshake', async (_, bytes) => {
  const { port } = await start();
  const sockets = await Promise.all(Array.from({ length: 20 }, () => knock(port)));
  for (const socket of sockets) socket.write(bytes);
  await Promise.all(sockets.map(whenClosed));
});

it('a connection that says anything but TLS is closed at once', async () => {
  const { port } = await start({ handshakeMs: 60_000 });
  const socket = await knock(port);
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await whenClosed(socket);
});

it('a connection outlives the time of its handshake once that is over', async () => {
  const { port, served } = await start();
  const silent = await knock(port);
  const socket = await enter(port);
  await whenClosed(silent);
  const [one] = served;
  socket.write('hello');
  expect(String((await once(one?.socket ?? socket, 'data'))[0])).toBe('hello');
  expect([one?.address, one?.socket instanceof TLSSocket]).toEqual(['127.0.0.1', true]);
});

it('one network has no more than its bound, and another one still comes in', async () => {
  const { port } = await start({ handshakeMs: 60_000, bounds: { perNetwork: 3, inTotal: 100 } });
  const within = await Promise.all([1, 2, 3].map(() => knock(port)));
  await whenClosed(await knock(port));
  await enter(port, '127.0.0.2');
  within[0]?.destroy();
  // The server hears of that end in its own time.
  await expect.poll(() => enter(port).catch(() => undefined)).toBeInstanceOf(TLSSocket);
});

it('a connection counts as a stranger’s after its handshake, until it is released', async () => {
  const { port, served } = await start({ handshakeMs: 60_000, bounds: { perNetwork: 1, inTotal: 100 } });
  await enter(port);
  await expect.poll(() => served.length).toBe(1);
  await whenClosed(await knock(port));
  served[0]?.release();
  await enter(port);
});

it('a stranger makes room for a newer one where nobody new is refused', async () => {
  const { port } = await start({
    handshakeMs: 60_000,
    bounds: { perNetwork: 2, inTotal: 100, patienceMs: 0 },
  });
  const [oldest, other] = [await knock(port), await knock(port)];
  await enter(port);
  await whenClosed(oldest);
  expect(other.destroyed).toBe(false);
});

it('each client of a trusted proxy counts by the address that the proxy tells before TLS', async () => {
  const { port, served } = await start({
    handshakeMs: 60_000,
    bounds: { perNetwork: 1, inTotal: 100 },
    readAddress: createReadTcpAddress(['127.0.0.1'], 60_000, { listener: 'PORT', log }),
  });
  const enterFor = async (address: string) => {
    const socket = await knock(port);
    socket.write(`PROXY TCP4 ${address} 192.0.2.9 4711 7107\r\n`);
    const secure = connectTls({ socket, ca: pair.cert, servername: 'localhost' });
    secure.on('error', () => {});
    return secure;
  };
  await once(await enterFor('198.51.100.1'), 'secureConnect');
  await whenClosed(await enterFor('198.51.100.1'));
  await once(await enterFor('198.51.100.2'), 'secureConnect');
  await expect.poll(() => served.map(({ address }) => address)).toEqual(['198.51.100.1', '198.51.100.2']);
});

it('a trusted proxy that tells of no client is waited for no longer than a handshake', async () => {
  const readAddress = createReadTcpAddress(['127.0.0.1'], 60_000, { listener: 'PORT', log });
  for (const tls of [pair, undefined]) {
    const { port } = await start({ tls, readAddress });
    await whenClosed(await knock(port));
  }
});

it('a listener that closes does not wait for those who say nothing', async () => {
  const { listener, port } = await start({ handshakeMs: 60_000 });
  const silent = await knock(port);
  const inside = await enter(port);
  const closed = listener.close();
  await whenClosed(silent);
  inside.end();
  await closed;
});
