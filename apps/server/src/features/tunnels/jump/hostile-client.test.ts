import { once } from 'node:events';
import { connect, createServer } from 'node:net';
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
  session(channel: number, window: number, maxPacket: number): void;
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

it('a client that keeps to its window waits for a device that reads nothing, and is not cut', async () => {
  const device = await addStubborn('SLOW', false);
  const client = await t.logIn();
  const channel = await openChannel(client, 'SLOW');
  let sent = 0;
  const chunk = Buffer.alloc(32 * 1024);
  const write = () => {
    while (sent < 64 * 1024 * 1024 && channel.write(chunk)) sent += chunk.length;
  };
  channel.on('drain', write);
  write();
  await expectToSettle(() => socketOf(client).bytesWritten);
  expect(socketOf(client).destroyed).toBe(false);
  const other = await openChannel(client, 'JUMP-1');
  expect(String((await once(other, 'data'))[0])).toBe('hello ');
  client.destroy();
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

// To a channel of 0 bytes ssh2 sends packets for ever, and this process would be gone.
it.each([0, 511])('refuses a channel to a controller whose packets would be of %i bytes', async (bytes) => {
  const client = await t.logIn();
  const asked = { srcIP: '127.0.0.1', srcPort: 1, dstIP: 'JUMP-1', dstPort: 22 };
  const before = t.received.length;
  protocolOf(client).directTcpip(77, 2 ** 20, bytes, asked);
  // The server is there for others, and for this one.
  const channel = await openChannel(client, 'JUMP-1');
  expect(String((await once(channel, 'data'))[0])).toBe('hello ');
  expect(t.received.length).toBe(before + 1);
  channel.end();
});

it('refuses a shell whose packets would be empty, before it says that there is none', async () => {
  const client = await t.logIn();
  const protocol = protocolOf(client);
  const open = protocol.session;
  protocol.session = (channel, window) => open.call(protocol, channel, window, 0);
  const refusal = await new Promise((resolve) => client.shell((error) => resolve(error?.message)));
  expect(refusal).toContain('Packets of at least 512 bytes');
  const channel = await openChannel(client, 'JUMP-1');
  channel.end();
});

const packet = (length: number, ...rest: number[]) => {
  const head = Buffer.alloc(4);
  head.writeInt32BE(length);
  return Buffer.concat([head, Buffer.from(rest)]);
};

// ssh2 would make room for 2 GB at the piece after such a packet, for each stranger who asks.
it.each([
  ['of 2 GB', packet(0x7fffffff)],
  ['of a negative length', packet(-1)],
  ['of 0 bytes', packet(0)],
])('parts with a stranger whose packet is %s, though more of it comes', async (_, wrong) => {
  const before = process.memoryUsage().arrayBuffers;
  let peak = before;
  const socket = connect({ port: t.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'data');
  socket.write('SSH-2.0-Stranger\r\n');
  await once(socket, 'data');
  socket.write(wrong);
  const sending = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().arrayBuffers);
    if (socket.writable) socket.write(Buffer.alloc(64 * 1024));
  }, 20);
  await closed;
  clearInterval(sending);
  expect(peak - before).toBeLessThan(512 * 1024 * 1024);
});

it('serves others while a stranger sends packets that carry nothing', async () => {
  const socket = connect({ port: t.port, host: '127.0.0.1' });
  socket.on('error', () => {});
  const empty = packet(12, 11, ...Buffer.alloc(11));
  socket.write(Buffer.concat([Buffer.from('SSH-2.0-Stranger\r\n'), ...Array(50_000).fill(empty)]));
  const client = await t.logIn();
  const channel = await openChannel(client, 'JUMP-1');
  expect(String((await once(channel, 'data'))[0])).toBe('hello ');
  channel.end();
  socket.destroy();
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
