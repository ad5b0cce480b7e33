import { once } from 'node:events';
import { sshStreamPath, tcpStreamPath, tunnelKeyHeader } from '@pult/contract';
import { drawTerminalQr } from '@pult/link/terminal-qr';
import { HttpClient, startStopwatch, WebSocketMessages } from '@pult/testkit';
import type ssh2 from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startRawUpstream, startUpstream, type WebUpstream } from '../../tunnels/tunnel.fixture.ts';
import {
  createSshDeviceFixture,
  makeDeviceKey,
  type SshDeviceFixture,
  serialIn,
} from './ssh-device.fixture.ts';

let t: SshDeviceFixture;
let web: WebUpstream;
let ssh: Awaited<ReturnType<typeof startRawUpstream>>;
beforeAll(async () => {
  web = await startUpstream(({ url }, response) => response.end(`page ${url}`));
  ssh = await startRawUpstream((socket) => socket.pipe(socket));
  t = await createSshDeviceFixture();
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  web.close();
  ssh.close();
});

async function readPage(serialNumber: string): Promise<string> {
  const { url } = await t.fixture.openTunnel({ serialNumber } as never, 'http');
  const answer = await new HttpClient().request(url, { followRedirects: true });
  return answer.text();
}

describe('a device by SSH', () => {
  it('a device by SSH enrols by its key, is claimed by the link in the banner, and carries its web interface and SSH', async () => {
    const device = await t.logIn();
    const serialNumber = serialIn(device.banner);
    expect(serialNumber).toMatch(/^SSH-[A-Z2-7]{8}$/);
    await device.forward('pult-http', 80, web.port);
    await device.forward('pult-ssh', 22, ssh.port);
    expect(await t.claim(device.banner)).toMatchObject({
      status: 200,
      body: { serialNumber, connectionKind: 'ssh' },
    });
    await expect.poll(() => t.getStatus(serialNumber)).toBe('online');
    expect(await readPage(serialNumber)).toBe('page /');

    const { key } = await t.fixture.openTunnel({ serialNumber } as never, 'ssh');
    const socket = new WebSocket(`ws://127.0.0.1:${t.fixture.server.port}${sshStreamPath}`, {
      headers: { authorization: `Bearer ${t.fixture.owner.access}`, [tunnelKeyHeader]: key },
    });
    const messages = new WebSocketMessages(socket);
    await once(socket, 'open');
    socket.send('SSH-2.0-test');
    expect(String((await messages.next()).data)).toBe('SSH-2.0-test');
    socket.close();

    // What it does not forward is refused by name, to `pult forward` too.
    const port = await t.fixture.openTunnel({ serialNumber } as never, 'tcp-5432');
    const refused = new WebSocket(`ws://127.0.0.1:${t.fixture.server.port}${tcpStreamPath}`, {
      headers: { authorization: `Bearer ${t.fixture.owner.access}`, [tunnelKeyHeader]: port.key },
    });
    const closing = await once(refused, 'close');
    expect([closing[0], String(closing[1])]).toEqual([4000, 'service_not_forwarded']);
  });

  it('a newer connection of a key takes the place of the older one at once', async () => {
    const key = makeDeviceKey();
    const older = await t.logIn({ key });
    await t.claim(older.banner);
    const serialNumber = serialIn(older.banner);
    await older.forward('localhost', 80, web.port);
    await expect.poll(() => t.getStatus(serialNumber)).toBe('online');
    const newer = await t.logIn({ key });
    // It is claimed: there is no link to be shown.
    expect(newer.banner).toBe('');
    await newer.forward('localhost', 80, web.port);
    await older.closed;
    expect(await readPage(serialNumber)).toBe('page /');
  });

  it('a device that is removed from its organization loses its connection, and shows a new link at its next login', async () => {
    const device = await t.addDevice({ http: web.port });
    const { serialNumber, key, banner } = device;
    await expect.poll(() => t.getStatus(serialNumber)).toBe('online');
    const elapsed = startStopwatch();
    const params = { serialNumber };
    await t.fixture.server.call('deleteController', { as: t.fixture.owner, params });
    await device.closed;
    expect(elapsed()).toBeLessThan(2_000);
    const again = await t.logIn({ key });
    expect(serialIn(again.banner)).toBe(serialNumber);
    expect(again.banner).not.toBe(banner);
    expect((await t.claim(banner)).status).toBe(400);
    expect((await t.claim(again.banner)).status).toBe(200);
  });

  it('a key that a person has registered enrols no device, and the key of a device is registered for nobody', async () => {
    const key = makeDeviceKey();
    const addKey = (publicKey: string) =>
      t.fixture.server.call('addSshKey', { as: t.fixture.owner, body: { name: 'Laptop', publicKey } });
    expect(await addKey(key.public)).toMatchObject({ status: 201 });
    await expect(t.logIn({ key })).rejects.toThrow('All configured authentication methods failed');
    const device = await t.logIn();
    expect(await addKey(device.key.public)).toMatchObject({
      status: 400,
      body: { publicKey: [expect.stringContaining('has been added already')] },
    });
  });

  it('a shell of a device shows its activation link, stays open, and tells when it is claimed', async () => {
    const device = await t.logIn();
    await device.forward('pult-http', 80, web.port);
    const text = await new Promise<string>((resolve, reject) => {
      device.client.shell((error, channel) => {
        if (error) return reject(error);
        let shown = '';
        channel.on('data', (chunk: Buffer) => {
          shown += chunk;
          if (shown.includes('is connected')) resolve(shown);
          else if (shown.includes('token=')) void t.claim(shown);
        });
      });
    });
    const serialNumber = serialIn(device.banner);
    expect(text).toContain(`Controller ${serialNumber} is connected.\r\n`);
    expect(await readPage(serialNumber)).toBe('page /');
  });
});

/** What an unclaimed device is shown by its command or shell, and what by its banner. */
async function readShown(
  open: (client: ssh2.Client, done: (error: Error | undefined, channel: ssh2.ClientChannel) => void) => void,
): Promise<{ shown: string; banner: string }> {
  const { client, banner } = await t.logIn();
  const shown = await new Promise<string>((resolve, reject) => {
    open(client, (error, channel) => {
      if (error) return reject(error);
      let text = '';
      channel.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      channel.on('close', () => resolve(text));
    });
  });
  return { shown, banner };
}

describe('the activation link as a QR code', () => {
  const pty = { cols: 80, rows: 24, term: 'xterm' };
  const utf8 = { LANG: 'ru_RU.UTF-8', FOO: 'bar' };

  it.each<[string, Parameters<typeof readShown>[0]]>([
    ['a terminal with UTF-8', (client, done) => client.shell(pty, { env: utf8 }, done)],
    ['a script that tells the columns of one', (client, done) => client.exec('link 80', done)],
  ])('the activation link is followed by its QR code for %s, and never in the banner', async (_, open) => {
    const { shown, banner } = await readShown(open);
    const [, link = ''] = /(https?:\S+)\r?\n/.exec(shown) ?? [];
    expect(link).toContain('token=');
    const lines = drawTerminalQr(link, 80);
    expect(shown.split(/\r?\n/).slice(2, 2 + lines.length)).toEqual(lines);
    expect(banner).toMatch(/^[\n -~]+$/);
  });

  it.each<[string, Parameters<typeof readShown>[0]]>([
    ['a narrow terminal', (client, done) => client.shell({ ...pty, cols: 30 }, { env: utf8 }, done)],
    ['a terminal without UTF-8', (client, done) => client.shell(pty, { env: { LANG: 'C' } }, done)],
    [
      'a terminal that knows no colours',
      (client, done) => client.shell({ ...pty, term: 'dumb' }, { env: utf8 }, done),
    ],
    ['a command', (client, done) => client.exec('link', done)],
    ['a command with nonsense', (client, done) => client.exec('link 80 80', done)],
  ])('the activation link stands alone for %s', async (_, open) => {
    const { shown } = await readShown(open);
    expect(shown).toContain('token=');
    expect(shown).toMatch(/^[\r\n -~]+$/);
  });
});

describe('the time of a device by SSH', () => {
  it('a device that nobody claims is parted with once its link is old, and one that is claimed is not', async () => {
    await using quick = await createSshDeviceFixture({ timing: { ssh: { unclaimedMs: 1_500 } } });
    const [claimed, unclaimed] = [await quick.logIn(), await quick.logIn()];
    await claimed.forward('localhost', 80, web.port);
    await unclaimed.forward('localhost', 80, web.port);
    await quick.claim(claimed.banner);
    await unclaimed.closed;
    await expect.poll(() => quick.getStatus(serialIn(claimed.banner))).toBe('online');
  });

  it('a device that forwards nothing is parted with', async () => {
    await using quick = await createSshDeviceFixture({ timing: { ssh: { forwardMs: 100 } } });
    await (await quick.logIn()).closed;
  });

  it('a device that has fallen silent is found and offline, though its connection was never ended', async () => {
    await using quick = await createSshDeviceFixture({ timing: { sshAliveMs: 100 } });
    const device = await quick.addDevice({ http: web.port });
    await expect.poll(() => quick.getStatus(device.serialNumber)).toBe('online');
    (device.client as unknown as { _sock: import('node:net').Socket })._sock.pause();
    await expect.poll(() => quick.getStatus(device.serialNumber)).toBe('offline');
  });
});
