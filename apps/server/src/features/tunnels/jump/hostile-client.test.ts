import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Client, ClientChannel } from 'ssh2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createJumpFixture, type JumpFixture, openChannel } from './jump.fixture.ts';

// These clients do by hand what no SSH library would: through ssh2's own protocol object.

let t: JumpFixture;
beforeAll(async () => {
  t = await createJumpFixture();
});
afterAll(() => t[Symbol.asyncDispose]());

interface Protocol {
  _kexinit: unknown;
  channelData(channel: number, data: Buffer): void;
  channelWindowAdjust(channel: number, amount: number): void;
  directTcpip(channel: number, window: number, maxPacket: number, asked: object): void;
  rekey(): void;
}
const protocolOf = (client: Client) => (client as unknown as { _protocol: Protocol })._protocol;
const socketOf = (client: Client) => (client as unknown as { _sock: import('node:net').Socket })._sock;
const idOf = (channel: ClientChannel) => (channel as unknown as { outgoing: { id: number } }).outgoing.id;

/** Whatever errors come before. */
function whenClosed(client: Client): Promise<void> {
  client.on('error', () => {});
  return new Promise((resolve) => client.once('close', () => resolve()));
}

/** A device whose port 22 reads nothing, or writes without end. */
async function addStubborn(serialNumber: string, isFlooding: boolean) {
  let written = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.pause();
    if (!isFlooding) return;
    const chunk = Buffer.alloc(64 * 1024);
    const write = () => {
      while (socket.writable && socket.write(chunk)) written += chunk.length;
    };
    socket.on('drain', write);
    write();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  await t.fixture.addDevice(serialNumber, { endpoints: { ssh: port } });
  return { getWritten: () => written, close: () => server.close() };
}

it('cuts a client that sends more than its window lets it, before that fills the memory', async () => {
  const device = await addStubborn('DEAF', false);
  const client = await t.logIn();
  const channel = await openChannel(client, 'DEAF');
  const closed = whenClosed(client);
  const protocol = protocolOf(client);
  const socket = socketOf(client);
  const chunk = Buffer.alloc(32 * 1024);
  let sent = 0;
  while (!socket.destroyed && socket.writable && sent < 256 * 1024 * 1024) {
    protocol.channelData(idOf(channel), chunk);
    sent += chunk.length;
    if (socket.writableLength > 1024 * 1024)
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), closed]);
  }
  await closed;
  // The window, what the link and its socket hold, and what was on its way.
  expect(sent).toBeLessThan(64 * 1024 * 1024);
  device.close();
});

it('holds a device back whose client gives it an endless window and reads nothing', async () => {
  const device = await addStubborn('FLOOD', true);
  const client = await t.logIn();
  const channel = await openChannel(client, 'FLOOD');
  protocolOf(client).channelWindowAdjust(idOf(channel), 2 ** 31);
  socketOf(client).pause();
  await expectToSettle(device.getWritten);
  expect(device.getWritten()).toBeLessThan(64 * 1024 * 1024);
  client.destroy();
  device.close();
});

it('holds a device back whose client begins a key exchange and never ends it', async () => {
  const device = await addStubborn('STALL', true);
  const client = await t.logIn();
  const channel = await openChannel(client, 'STALL');
  channel.resume();
  protocolOf(client).channelWindowAdjust(idOf(channel), 2 ** 31);
  // Its KEXINIT goes out, and what the server answers is not taken.
  protocolOf(client).rekey();
  socketOf(client).removeAllListeners('data');
  socketOf(client).resume();
  await expectToSettle(device.getWritten);
  expect(device.getWritten()).toBeLessThan(64 * 1024 * 1024);
  client.destroy();
  device.close();
});

it('closes a channel whose packets would be empty', async () => {
  const client = await t.logIn();
  const asked = { srcIP: '127.0.0.1', srcPort: 1, dstIP: 'JUMP-1', dstPort: 22 };
  const before = t.received.length;
  protocolOf(client).directTcpip(77, 2 ** 20, 0, asked);
  await expect.poll(() => t.received.length).toBe(before + 1);
  await expect.poll(() => t.connections.size).toBe(0);
  // The server is there for others, and for this one.
  const channel = await openChannel(client, 'JUMP-1');
  expect(String((await once(channel, 'data'))[0])).toBe('hello ');
  channel.end();
});

it('survives clients that go away in the middle of anything', async () => {
  const key = await t.addKey();
  const partings: ((client: Client) => unknown)[] = [
    (client) => client.destroy(),
    (client) => socketOf(client).resetAndDestroy(),
    (client) => socketOf(client).end(),
    (client) => client.end(),
    (client) => socketOf(client).end(Buffer.alloc(100)),
  ];
  await Promise.all(
    Array.from({ length: 40 }, async (_, round) => {
      const client = await t.logIn({ key });
      const closed = whenClosed(client);
      const opening = Array.from({ length: 3 }, () => openChannel(client, 'JUMP-1').catch(() => undefined));
      if (round % 2 === 0)
        for (const channel of await Promise.all(opening)) channel?.write(Buffer.alloc(100_000));
      partings[round % partings.length]?.(client);
      client.destroy();
      await closed;
    }),
  );
  await expect.poll(() => t.connections.size, { timeout: 10_000 }).toBe(0);
  const client = await t.logIn({ key });
  const channel = await openChannel(client, 'JUMP-1');
  expect(String((await once(channel, 'data'))[0])).toBe('hello ');
});

/** Resolves once the figure has stopped growing for a while. */
async function expectToSettle(read: () => number): Promise<void> {
  let last = -1;
  let still = 0;
  await expect
    .poll(
      () => {
        still = read() === last && last > 0 ? still + 1 : 0;
        last = read();
        return still;
      },
      { interval: 50, timeout: 20_000 },
    )
    .toBeGreaterThan(6);
}
