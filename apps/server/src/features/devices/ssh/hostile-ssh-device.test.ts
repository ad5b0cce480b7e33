import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { HttpClient, poll, whenClosed } from '@pult/testkit';
import { listen } from '@pult/testkit/in-test';
import ssh2, { type Client, type ClientChannel, type ParsedKey } from 'ssh2';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startRawUpstream, startUpstream, type WebUpstream } from '../../tunnels/tunnel.fixture.ts';
import { enrolmentOfController } from '../enrolment-of-controller.repository.ts';
import {
  createSshDeviceFixture,
  makeDeviceKey,
  type SshDeviceFixture,
  serialIn,
  type TestSshDevice,
} from './ssh-device.fixture.ts';

// These devices do by hand what no SSH client would: through ssh2's own protocol object. After each of them an honest one is there.

let t: SshDeviceFixture;
let web: WebUpstream;
let honest: TestSshDevice & { serialNumber: string };
beforeAll(async () => {
  web = await startUpstream((_, response) => response.end('page'));
  t = await createSshDeviceFixture({ timing: { sshHandshakeMs: 3_000 } });
  honest = await t.addDevice({ http: web.port });
  const isOnline = async () => (await t.getStatus(honest.serialNumber)) === 'online';
  await poll(isOnline, { what: 'the honest device is online' });
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  web.close();
});
afterEach(async () => {
  expect(await readPage(honest.serialNumber)).toBe('page');
});

async function readPage(serialNumber: string): Promise<string> {
  const { url } = await t.fixture.openTunnel({ serialNumber } as never, 'http');
  const answer = await new HttpClient().request(url, { followRedirects: true });
  return answer.text();
}

/** How the server asks for the endpoints of a controller. */
async function targetOf(serialNumber: string) {
  await expect.poll(() => t.getStatus(serialNumber)).toBe('online');
  const { enrolmentId } = await t.fixture.server.db
    .selectFrom('controllers')
    .select(enrolmentOfController.as('enrolmentId'))
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();
  return { enrolmentId, serialNumber };
}

interface Protocol {
  channelData(channel: number, data: Buffer): void;
  channelOpenConfirm(remote: number, local: number, window: number, packetSize: number): void;
  channelClose(channel: number): void;
  channelEOF(channel: number): void;
  channelWindowAdjust(channel: number, bytes: number): void;
  requestSuccess(): void;
  service(name: string): void;
  session(channel: number, window: number, maxPacket: number): void;
  tcpipForward(address: string, port: number, wantReply: boolean): void;
  ping(): void;
}
const protocolOf = (client: Client) => (client as unknown as { _protocol: Protocol })._protocol;
const socketOf = (client: Client) => (client as unknown as { _sock: import('node:net').Socket })._sock;
const forward = (client: Client, address: string, port: number) =>
  new Promise<void>((resolve, reject) =>
    client.forwardIn(address, port, (error) => (error ? reject(error) : resolve())),
  );
const quiet = <T extends TestSshDevice>(device: T): T => {
  device.client.on('error', () => {});
  return device;
};

it.each<[string, (client: Client, round: number) => void]>([
  ['channels', (client, round) => protocolOf(client).session(round, 2 ** 20, 32_768)],
  ['forwards', (client, round) => protocolOf(client).tcpipForward('', round + 1, true)],
  ['forwards that nobody answers', (client) => protocolOf(client).tcpipForward('x'.repeat(300), 0, false)],
  ['questions', (client) => protocolOf(client).ping()],
])('a device that floods the server with %s ends itself alone', async (_, send) => {
  const { client, closed } = quiet(await t.logIn());
  for (let round = 0; round < 300; round += 1) send(client, round);
  await closed;
});

it('a device that floods the server with packets of a byte ends itself alone', async () => {
  const device = quiet(await t.logIn());
  let isOpen = true;
  void device.closed.then(() => {
    isOpen = false;
  });
  const byte = Buffer.from('x');
  while (isOpen) {
    for (let round = 0; round < 2_000; round += 1) protocolOf(device.client).channelData(7, byte);
    await new Promise((resolve) => setImmediate(resolve));
  }
});

it('a device is refused what it may not forward, and no more than 32 of what it may', async () => {
  const device = await t.logIn();
  await expect(device.forward('localhost', 0, 1)).rejects.toThrow('Unable to bind');
  await expect(device.forward('x'.repeat(300), 8000, 1)).rejects.toThrow('Unable to bind');
  for (let port = 8000; port < 8032; port += 1) await device.forward('localhost', port, 1);
  await expect(device.forward('localhost', 8032, 1)).rejects.toThrow('Unable to bind');
  // One that is given back makes room.
  await new Promise<void>((resolve, reject) =>
    device.client.unforwardIn('localhost', 8000, (error) => (error ? reject(error) : resolve())),
  );
  await device.forward('localhost', 8032, 1);
  await expect(device.forward('localhost', 8032, 1)).rejects.toThrow('Unable to bind');
  await expect(
    new Promise((resolve, reject) =>
      device.client.openssh_forwardInStreamLocal('/tmp/x', (error) => (error ? reject(error) : resolve(0))),
    ),
  ).rejects.toThrow();
  await expect(
    new Promise((resolve, reject) =>
      device.client.forwardOut('', 0, '127.0.0.1', t.fixture.server.port, (error) =>
        error ? reject(error) : resolve(0),
      ),
    ),
  ).rejects.toThrow();
  device.client.end();
});

it('a device that takes a channel in packets of no bytes ends itself alone', async () => {
  const device = quiet(await t.addDevice({}));
  const closed = device.closed;
  await device.forward('pult-http', 80, web.port);
  const protocol = protocolOf(device.client);
  const confirm = protocol.channelOpenConfirm;
  protocol.channelOpenConfirm = (remote, local, window) => confirm.call(protocol, remote, local, window, 0);
  await expect.poll(() => t.getStatus(device.serialNumber)).toBe('online');
  const { url } = await t.fixture.openTunnel({ serialNumber: device.serialNumber } as never, 'http');
  const answer = await new HttpClient().request(url, { followRedirects: true });
  expect(answer.status).toBe(503);
  answer.body.resume();
  await closed;
});

it('a device that sends more than its window lets it is cut before that fills the memory', async () => {
  const silent = await startRawUpstream(() => {});
  const device = quiet(await t.addDevice({ ssh: silent.port }));
  let channel: ClientChannel | undefined;
  device.client.prependListener('tcp connection', (_, accept) => {
    const accepted = accept();
    accepted.on('error', () => {});
    channel = accepted;
  });
  // Nobody reads it.
  const stream = t.fixture.server.server.links.open(await targetOf(device.serialNumber), 'ssh');
  await once(stream, 'connect');
  const { id } = (channel as unknown as { outgoing: { id: number } }).outgoing;
  const socket = socketOf(device.client);
  const chunk = Buffer.alloc(32 * 1024);
  let sent = 0;
  while (!socket.destroyed && socket.writable && sent < 256 * 2 ** 20) {
    protocolOf(device.client).channelData(id, chunk);
    sent += chunk.length;
    if (socket.writableLength > 2 ** 20)
      await Promise.race([new Promise((resolve) => socket.once('drain', resolve)), device.closed]);
  }
  await device.closed;
  expect(sent).toBeLessThan(64 * 2 ** 20);
  silent.close();
});

it('a device whose page nobody reads waits with it, and is not cut', async () => {
  const bytes = 16 * 2 ** 20;
  const upstream = await startRawUpstream((socket) => socket.end(Buffer.alloc(bytes)));
  const device = await t.addDevice({ ssh: upstream.port });
  const stream = t.fixture.server.server.links.open(await targetOf(device.serialNumber), 'ssh');
  // More than the first window: ssh2 has asked for another by then.
  await expect.poll(() => stream.unreadBytes).toBeGreaterThan(2.5 * 2 ** 20);
  let rest = 0;
  stream.on('data', (chunk: Buffer) => {
    rest += chunk.length;
  });
  await once(stream, 'end');
  expect(rest).toBe(bytes);
  upstream.close();
});

it('a device that never answers an opening costs that stream alone, and no more than 128 of them', async () => {
  const device = quiet(await t.addDevice({ ssh: 1 }));
  device.client.removeAllListeners('tcp connection').on('tcp connection', () => {});
  const target = await targetOf(device.serialNumber);
  const { links } = t.fixture.server.server;
  const streams = Array.from({ length: 128 }, () => links.open(target, 'ssh'));
  const [error] = await once(links.open(target, 'ssh'), 'error');
  expect(error).toMatchObject({ code: 'service_refused', reason: 'too many streams' });
  // Given up by who asked, and still not answered.
  for (const stream of streams) stream.destroy();
  const [again] = await once(links.open(target, 'ssh'), 'error');
  expect(again).toMatchObject({ code: 'service_refused', reason: 'too many streams' });
  device.client.end();
});

it('a device that is cut in the middle ends its streams with an error', async () => {
  const endless = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('first');
  });
  endless.listen(0, '127.0.0.1');
  await once(endless, 'listening');
  const address = endless.address();
  const device = quiet(await t.addDevice({ ssh: typeof address === 'object' && address ? address.port : 0 }));
  const target = await targetOf(device.serialNumber);
  const stream = t.fixture.server.server.links.open(target, 'ssh');
  expect(String((await once(stream, 'data'))[0])).toBe('first');
  const failed = once(stream, 'error');
  socketOf(device.client).destroy();
  expect((await failed)[0]).toMatchObject({ code: 'link_closed' });
  endless.close();
});

it('a stranger who says nothing, or half a greeting, is parted with in time', async () => {
  const closings = ['', 'SSH-2.0-half', 'SSH-2.0-Stranger\r\n'].map(async (greeting) => {
    const socket = connect({ port: t.port, host: '127.0.0.1' });
    socket.on('error', () => {});
    socket.write(greeting);
    socket.resume();
    await whenClosed(socket);
  });
  await Promise.all(closings);
});

it.each(['device+', 'device+-A', 'device+A--B', `device+${'A'.repeat(37)}`, 'device+Ä'])(
  'a device of the user name %j is told what a serial number is',
  async (user) => {
    await expect(t.logIn({ user })).rejects.toThrow('A serial number has letters A-Z');
  },
);

it.each<[string, (protocol: Protocol) => void]>([
  ['asks for a forward', (protocol) => protocol.tcpipForward('pult-http', 80, true)],
  ['opens a channel', (protocol) => protocol.session(0, 2 ** 20, 32_768)],
  ['sends data of a channel', (protocol) => protocol.channelData(0, Buffer.from('x'))],
  ['takes a channel', (protocol) => protocol.channelOpenConfirm(0, 0, 2 ** 20, 32_768)],
  ['asks for a service that there is not', (protocol) => protocol.service('ssh-connection')],
])('a device that %s before its login has moved nothing by it', async (_, act) => {
  const client = new ssh2.Client();
  const key = makeDeviceKey().private;
  let banner = '';
  client.on('banner', (text) => {
    banner += text;
  });
  const isIn = await new Promise<boolean>((resolve) => {
    client.on('ready', () => resolve(true)).on('close', () => resolve(false));
    client.on('error', () => {});
    client.connect({
      host: '127.0.0.1',
      port: t.port,
      username: 'device',
      authHandler: (_left, _partial, next) => {
        act(protocolOf(client));
        next({ type: 'publickey', username: 'device', key });
      },
    });
  });
  if (!isIn) return;
  // What it said too early is not kept until it is let in: it has no forward, and is not online.
  expect((await t.claim(banner)).status).toBe(200);
  await expect(forward(client, 'localhost', 0)).rejects.toThrow('Unable to bind');
  expect(await t.getStatus(serialIn(banner))).toBe('never');
  await forward(client, 'pult-http', 80);
  await expect.poll(() => t.getStatus(serialIn(banner))).toBe('online');
  client.end();
});

it.each<[string, (protocol: Protocol) => void]>([
  ['data', (protocol) => protocol.channelData(77, Buffer.from('x'))],
  ['an end', (protocol) => protocol.channelEOF(77)],
  ['a close', (protocol) => protocol.channelClose(77)],
  ['a consent', (protocol) => protocol.channelOpenConfirm(77, 0, 2 ** 20, 32_768)],
  ['a window', (protocol) => protocol.channelWindowAdjust(77, 2 ** 31)],
  ['an answer to no question', (protocol) => protocol.requestSuccess()],
])('a device that says %s of a channel that nobody opened moves nothing', async (_, act) => {
  const device = quiet(await t.addDevice({ http: web.port }));
  await expect.poll(() => t.getStatus(device.serialNumber)).toBe('online');
  act(protocolOf(device.client));
  // Either it is cut for that, or it goes on as if nothing had been said.
  const isThere = await Promise.race([
    device.closed.then(() => false),
    device.forward('localhost', 9000, 1).then(() => true),
  ]);
  if (isThere) expect(await readPage(device.serialNumber)).toBe('page');
  else await expect.poll(() => t.getStatus(device.serialNumber)).toBe('offline');
  device.client.end();
});

it('a device whose bytes are no packet ends itself alone', async () => {
  const device = quiet(await t.addDevice({ http: web.port }));
  await expect.poll(() => t.getStatus(device.serialNumber)).toBe('online');
  socketOf(device.client).write(Buffer.alloc(64, 0xff));
  await device.closed;
  await expect.poll(() => t.getStatus(device.serialNumber)).toBe('offline');
});

it('a device that closes its half of the connection is offline, and what is open there ends', async () => {
  const silent = await startRawUpstream((socket) => socket.write('first'));
  const device = quiet(await t.addDevice({ ssh: silent.port }));
  const stream = t.fixture.server.server.links.open(await targetOf(device.serialNumber), 'ssh');
  expect(String((await once(stream, 'data'))[0])).toBe('first');
  const failed = once(stream, 'error');
  socketOf(device.client).end();
  expect((await failed)[0]).toMatchObject({ code: 'link_closed' });
  await expect.poll(() => t.getStatus(device.serialNumber)).toBe('offline');
  silent.close();
});

it('a signature of an earlier login lets nobody in', async () => {
  const pair = makeDeviceKey();
  const key = ssh2.utils.parseKey(pair.private) as ParsedKey;
  const sign = key.sign.bind(key);
  let kept: ReturnType<typeof sign> | undefined;
  key.sign = (data, algorithm) => {
    kept ??= sign(data, algorithm);
    return kept;
  };
  const authHandler = [{ type: 'publickey', username: 'device', key }] as never;
  const first = await t.logIn({ authHandler });
  expect(first.banner).toContain('token=');
  await expect(t.logIn({ authHandler })).rejects.toThrow('All configured authentication methods failed');
  first.client.end();
});

it('the bytes of a whole login, sent once more, let nobody in and disturb nobody', async () => {
  const said: Buffer[] = [];
  const relay = createServer((from) => {
    const to = connect({ host: '127.0.0.1', port: t.port });
    for (const socket of [from, to]) socket.on('error', () => {});
    from.on('data', (chunk) => said.push(chunk));
    from.pipe(to).pipe(from);
  });
  const port = await listen(relay);
  const device = await t.logIn({ port });
  expect((await t.claim(device.banner)).status).toBe(200);
  await device.forward('pult-http', 80, web.port);
  const serialNumber = serialIn(device.banner);
  await expect.poll(() => t.getStatus(serialNumber)).toBe('online');
  const again = connect({ host: '127.0.0.1', port: t.port });
  again.on('error', () => {});
  again.resume().write(Buffer.concat(said));
  await whenClosed(again);
  expect(await readPage(serialNumber)).toBe('page');
  device.client.end();
});

it('a device by a password is not let in', async () => {
  await expect(t.logIn({ password: 'x', privateKey: undefined } as never)).rejects.toThrow(
    'All configured authentication methods failed',
  );
});
