import { once } from 'node:events';
import { sshStreamPath, terminalPath, tunnelKeyHeader } from '@pult/contract';
import { WebSocketMessages } from '@pult/testkit';
import { createTestDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { EndpointError } from '../../devices/index.ts';
import { addOpeningDevice, type HeldOpening } from '../opening.fixture.ts';
import { createTunnelFixture, type TunnelFixture } from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
const openings: HeldOpening[] = [];
const device = createTestDevice('OPENING-2');

beforeAll(async () => {
  fixture = await createTunnelFixture();
  await addOpeningDevice(fixture, device, openings);
});
afterAll(() => fixture.close());
beforeEach(() => {
  for (const opening of openings.splice(0)) opening.destroy();
});

async function openSshStream() {
  const { key } = await fixture.openTunnel(device, 'ssh');
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${sshStreamPath}`, {
    headers: { authorization: `Bearer ${fixture.owner.access}`, [tunnelKeyHeader]: key },
  });
  const messages = new WebSocketMessages(socket);
  await once(socket, 'open');
  return { socket, messages };
}

async function startTerminal() {
  const { publicUrl } = fixture.server;
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${terminalPath}`, {
    headers: { host: new URL(publicUrl).host, cookie: fixture.owner.cookie, origin: publicUrl },
  });
  const messages = new WebSocketMessages(socket);
  await once(socket, 'open');
  const { key } = await fixture.openTunnel(device, 'ssh');
  const credential = { method: 'password', password: 'right' };
  const size = { columns: 80, rows: 24 };
  socket.send(JSON.stringify({ type: 'start', tunnelKey: key, username: 'root', credential, ...size }));
  return { socket, messages };
}

it('the first words of an SSH client travel with the opening of its stream', async () => {
  const { socket, messages } = await openSshStream();
  socket.send('SSH-2.0-client\r\n');
  await expect.poll(() => openings[0]?.written).toBe('SSH-2.0-client\r\n');
  openings[0]?.answer('SSH-2.0-device\r\n');
  expect(String((await messages.next()).data)).toBe('SSH-2.0-device\r\n');
  socket.send('and more');
  await expect.poll(() => openings[0]?.written).toBe('SSH-2.0-client\r\nand more');
  socket.close();
});

it('a refusal of an SSH stream that comes behind its first words has its code', async () => {
  const { socket, messages } = await openSshStream();
  socket.send('SSH-2.0-client\r\n');
  await expect.poll(() => openings[0]?.written).toBe('SSH-2.0-client\r\n');
  openings[0]?.destroy(new EndpointError('service_refused', 'connect ECONNREFUSED'));
  expect(await messages.closed).toEqual({ code: 4000, reason: 'service_refused' });
});

it('an SSH client that leaves before the device has accepted takes its opening with it', async () => {
  const { socket } = await openSshStream();
  await expect.poll(() => openings).toHaveLength(1);
  socket.terminate();
  await expect.poll(() => openings[0]?.destroyed).toBe(true);
});

it("a terminal's first words travel with the opening of its stream", async () => {
  const { socket } = await startTerminal();
  await expect.poll(() => openings[0]?.written).toMatch(/^SSH-2\.0-\S+\r\n/);
  expect(openings[0]?.connecting).toBe(true);
  socket.terminate();
});

it('a terminal whose device refuses behind its first words is told why', async () => {
  const { messages } = await startTerminal();
  await expect.poll(() => openings[0]?.written).toContain('SSH-2.0-');
  openings[0]?.destroy(new EndpointError('service_refused', 'connect ECONNREFUSED'));
  const message = JSON.parse(String((await messages.next()).data));
  expect(message).toMatchObject({ type: 'failed', code: 'service_refused' });
  expect(message.detail).toContain('connect ECONNREFUSED');
});
