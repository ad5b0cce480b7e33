import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import { connect } from 'node:tls';
import type { WirenBoardDevice } from '@pult/testkit';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { createWirenBoardFixture, type WirenBoardFixture } from '../wiren-board.fixture.ts';

// Agents that do what no honest one does, with certificates of the factory. After each of them an honest one is served.

let fixture: WirenBoardFixture;
let honest: WirenBoardDevice;
let tunnelPort: number;
beforeAll(async () => {
  fixture = await createWirenBoardFixture({ environment: { DIAGNOSTICS_MAX_MB: '1' } });
  honest = await fixture.addDevice('HONEST1');
  tunnelPort = Number(honest.tunnelConfig?.server_port);
  await honest.openTunnel({});
});
afterAll(() => fixture.close());
// The status is written a moment later.
afterEach(async () => {
  expect((await honest.startUp()).body).toMatchObject({ activated: true });
  const params = { serialNumber: 'HONEST1' };
  const find = () => fixture.server.call('getController', { as: fixture.owner, params });
  await vi.waitFor(async () => expect((await find()).body).toMatchObject({ status: 'online' }));
});

/** A connection as an agent's curl makes it. */
async function open(serialNumber: string, port = fixture.server.port, servername = 'agent.localhost') {
  const { chain: cert, key } = await fixture.certificates.issue(serialNumber);
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername,
    cert,
    key,
    rejectUnauthorized: false,
  });
  socket.on('error', () => {});
  await once(socket, 'secureConnect');
  return socket;
}

async function readAll(socket: Awaited<ReturnType<typeof open>>): Promise<string> {
  let answer = '';
  socket.on('data', (bytes: Buffer) => {
    answer += String(bytes);
  });
  await once(socket, 'close');
  return answer;
}

const put = (length: number, body: string) =>
  `PUT /api-agent/v1/update_device_data/ HTTP/1.1\r\nhost: agent.localhost\r\ncontent-length: ${length}\r\n\r\n${body}`;

it.each([
  ['a body that ends before its length', put(1000, '{"agent_version"')],
  ['headers that end in their middle', 'GET /api-agent/v1/events/ HTTP/1.1\r\nhost: agent'],
  ['nothing at all', ''],
])('an agent that closes its half behind %s is parted with', async (_, words) => {
  const socket = await open('HALF1');
  socket.end(words);
  expect(await readAll(socket)).not.toMatch(/^HTTP\/1\.1 [25]/);
});

it('an agent whose headers have no end is parted with', async () => {
  const socket = await open('HEADERS1');
  const answer = readAll(socket);
  socket.write('GET /api-agent/v1/events/ HTTP/1.1\r\nhost: agent.localhost\r\n');
  for (let count = 0; count < 100 && socket.writable; count += 1)
    socket.write(`x-${count}: ${'a'.repeat(1000)}\r\n`);
  // The answer may be lost behind what was still on its way.
  expect(await answer).toMatch(/^(HTTP\/1\.1 431|$)/);
});

it('calls in a wrong order are answered, and move nothing', async () => {
  const device = await fixture.createDevice('ORDER1');
  expect((await device.call('POST', 'events/0190a3b2-0000-7000-8000-000000000000/confirm/')).status).toBe(
    204,
  );
  expect((await device.call('POST', 'events/no-such-event/confirm/')).status).toBe(204);
  expect((await device.call('DELETE', 'delete-controller/')).status).toBe(204);
  expect((await device.uploadDiagnostics(Buffer.from('PK\u0003\u0004'))).status).toBe(200);
  expect((await device.call('PUT', 'diagnostic-status/', { body: '{"status":"error"}' })).status).toBe(200);
  expect((await device.startUp()).body).toMatchObject({ activated: false });
});

it('a confirmation of another controller’s event confirms nothing', async () => {
  const device = await fixture.createDevice('VICTIM1');
  await device.startUp();
  await fixture.claim(device.activationLink ?? '');
  const { body } = await device.call('GET', 'events/');
  const { id } = body as { id: string };
  const thief = await fixture.createDevice('THIEF1');
  await thief.startUp();
  expect((await thief.call('POST', `events/${id}/confirm/`)).status).toBe(204);
  expect((await device.call('GET', 'events/')).body).toEqual(body);
});

it('an archive that is larger than one may be is cut off while it comes', async () => {
  const device = await fixture.addDevice('LARGE1');
  await device.openTunnel({});
  const params = { serialNumber: 'LARGE1' };
  const get = async (name: 'getController' | 'listDiagnostics') =>
    (await fixture.server.call(name, { as: fixture.owner, params })).body;
  await expect.poll(() => get('getController')).toMatchObject({ status: 'online' });
  await fixture.server.call('requestDiagnostic', { as: fixture.owner, params });
  await expect.poll(() => device.poll().then(() => device.confirmed)).toContain('fetch_diagnostics');
  const archive = Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(3_000_000)]);
  await device.uploadDiagnostics(archive).catch(() => {}); // a cut, or an answer
  await expect.poll(() => get('listDiagnostics')).toMatchObject([{ status: 'failed', reason: 'too_large' }]);
});

it('a client of the tunnel port that says nothing of TLS, half a greeting, or leaves after it, is parted with', async () => {
  for (const words of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01\x02\x00\x01', '']) {
    const raw = connectTcp({ port: tunnelPort, host: '127.0.0.1' });
    raw.on('error', () => {});
    raw.end(words, 'latin1');
    raw.resume();
    await once(raw, 'close');
  }
  const greeted = await open('GREETED1', tunnelPort, 'tunnel.localhost');
  greeted.end();
  await readAll(greeted);
});

it('a certificate of the factory is worth nothing at the tunnel port without the token', async () => {
  const device = await fixture.createDevice('HONEST1');
  const tunnel = await device.openTunnel(
    {},
    { user: 'HONEST1', server_port: String(tunnelPort), server_addr: 'tunnel.localhost', token: '' },
  );
  await tunnel.closed;
  expect(tunnel.heard).toMatchObject([{ type: '1', body: { error: 'authorization failed' } }]);
});
