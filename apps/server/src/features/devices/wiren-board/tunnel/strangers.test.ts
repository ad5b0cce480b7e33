import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { freePort, whenClosed } from '@pult/testkit';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

let fixture: WirenBoardFixture;
let port: number;
beforeAll(async () => {
  port = await freePort();
  fixture = await createWirenBoardFixture({
    environment: { WB_TUNNEL_PORT: String(port) },
    timing: { wirenBoard: { handshakeMs: 300 } },
  });
});
afterAll(() => fixture.close());

async function knock(localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {}).resume();
  await once(socket, 'connect');
  return socket;
}

async function getStatus(serialNumber: string): Promise<unknown> {
  const { body } = await fixture.server.call('getController', {
    as: fixture.owner,
    params: { serialNumber },
  });
  return (body as { status?: unknown }).status;
}

it('connections to the tunnels’ port that say nothing are closed, and keep no controller out', async () => {
  const device = await fixture.addDevice('AMONG1');
  const silent = await Promise.all(Array.from({ length: 300 }, () => knock('127.0.0.2')));
  // As frpc does, which comes again.
  await expect.poll(() => device.openTunnel({}).catch(() => undefined)).toBeDefined();
  await expect.poll(() => getStatus('AMONG1')).toBe('online');
  await Promise.all(silent.map(whenClosed));
  expect(await getStatus('AMONG1')).toBe('online');
});

it('a connection to the tunnels’ port that says anything but TLS is closed', async () => {
  const socket = await knock('127.0.0.2');
  socket.write('GET / HTTP/1.1\r\n\r\n');
  await whenClosed(socket);
});
