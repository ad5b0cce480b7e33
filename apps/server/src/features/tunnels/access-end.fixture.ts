import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Writable } from 'node:stream';
import { sshStreamPath, type TunnelView, terminalPath, tunnelKeyHeader } from '@pult/contract';
import {
  freePort,
  type HttpClient,
  type SshServer,
  startSshServer,
  startStopwatch,
  WebSocketMessages,
} from '@pult/testkit';
import type { LinkedDeviceOptions, TestUser } from '@pult/testkit/in-process';
import ssh2 from 'ssh2';
import { WebSocket, WebSocketServer } from 'ws';
import { FilePanel } from './files/files.fixture.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startUpstream,
  type TunnelFixture,
  type WebUpstream,
} from './tunnel.fixture.ts';

export type LinkKind = NonNullable<LinkedDeviceOptions['transport']>;

/** What somebody has open on one device. */
interface OpenOnDevice {
  link: LinkKind;
  device: ClaimedDevice;
  browser: HttpClient;
  /** By name: resolves when it has ended as it should, with what its user was told if anything. */
  ends: Record<string, Promise<unknown>>;
}

/** A user with everything that there is open on a device of each of these kinds of link. */
export interface OpenAll {
  user: TestUser;
  perDevice: OpenOnDevice[];
  /** Resolves once all has ended, of SSH by key too if asked so, and nothing of it is left at the devices; with how long it was waited for. */
  ended(options: { withJump: boolean }): Promise<{ told: unknown[]; milliseconds: number }>;
  /** What the history says of it, by kind. */
  reasons(): Promise<Partial<Record<TunnelView['kind'], (string | null)[]>>>;
}

interface OpenOptions {
  /** Of each a device; both unless told. */
  links?: readonly LinkKind[];
  /** Gives the user what they are to have before anything is opened. */
  prepare?: ((user: TestUser) => Promise<unknown>) | undefined;
  /** Gives each device its place. */
  place?: ((serialNumber: string) => Promise<unknown>) | undefined;
}

export interface AccessEndFixture {
  fixture: TunnelFixture;
  openAll(options?: OpenOptions): Promise<OpenAll>;
  close(): Promise<void>;
}

const bothLinks: readonly LinkKind[] = ['upgrade', 'websocket'];
const fileSize = 200 * 1024 * 1024;

/** A download that is cut must not look whole. */
function brokenOff(body: Readable): Promise<void> {
  return new Promise((resolve, reject) => {
    body.on('error', () => resolve());
    body.on('end', () => reject(new Error('it ended as if it were whole')));
    body.resume();
  });
}

export async function createAccessEndFixture(): Promise<AccessEndFixture> {
  const upstream: WebUpstream = await startUpstream((request, response) => {
    request.resume();
    if (request.url === '/upload') return;
    const type = request.url === '/events' ? 'text/event-stream' : 'application/octet-stream';
    response.writeHead(200, { 'content-type': type });
    response.write('begun');
  });
  const sockets = new WebSocketServer({ noServer: true });
  upstream.server.on('upgrade', (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => webSocket.on('error', () => {}));
  });
  const sshd: SshServer = await startSshServer();
  const file = join(sshd.folder, 'long');
  // Sparse: it takes no room and no time.
  await open(file, 'w').then(async (handle) => {
    await handle.truncate(fileSize);
    await handle.close();
  });
  const jumpPort = await freePort();
  const fixture = await createTunnelFixture({
    environment: { SSH_JUMP_PORT: String(jumpPort) },
    // An upload that the device never answers is not to end by itself.
    timing: { tunnelCheckMs: undefined, tunnelAnswerMs: 60_000 },
  });
  const origin = `127.0.0.1:${fixture.server.port}`;
  const host = new URL(fixture.server.publicUrl).host;
  let count = 0;

  async function openWebSocket(path: string, headers: Record<string, string>): Promise<WebSocket> {
    const socket = new WebSocket(`ws://${origin}${path}`, { headers: { host, ...headers } });
    await once(socket, 'open');
    return socket;
  }

  async function openHttp(device: ClaimedDevice, user: TestUser) {
    const browser = await fixture.openBrowser(device, user);
    const download = await browser.request(`${device.origin}/download`);
    const events = await browser.request(`${device.origin}/events`);
    await Promise.all([once(download.body, 'data'), once(events.body, 'data')]);
    const upload = browser
      .request(`${device.origin}/upload`, { method: 'POST', body: Buffer.alloc(64) })
      .then(
        ({ status, body }) => {
          body.destroy();
          // A page of ours that tells of a lost device is an end, too.
          if (status < 500) throw new Error(`the upload was answered ${status}`);
        },
        () => {}, // cut
      );
    const socket = await browser.openWebSocket(`${device.origin.replace('http:', 'ws:')}/ws`, {
      headers: { origin: device.origin },
    });
    const ends = {
      download: brokenOff(download.body),
      events: brokenOff(events.body),
      upload,
      webSocket: once(socket, 'close').then(() => undefined),
    };
    return { browser, ends };
  }

  /** A terminal, and over its login a file that its browser has just begun to take. */
  async function openTerminal(device: ClaimedDevice, user: TestUser) {
    const terminal = await openWebSocket(terminalPath, { authorization: `Bearer ${user.access}` });
    const messages = new WebSocketMessages(terminal);
    const { key } = await fixture.openTunnel(device, 'ssh', user);
    const credential = { method: 'private_key', privateKey: sshd.clientKey.privateKey };
    const start = { type: 'start', tunnelKey: key, username: sshd.user, credential, columns: 80, rows: 24 };
    terminal.send(JSON.stringify(start));
    const nextMessage = async () => {
      for (;;) {
        const { data, isBinary } = await messages.next();
        if (!isBinary) return JSON.parse(String(data));
      }
    };
    const ready = await nextMessage();
    if (ready.type !== 'ready') throw new Error(`no terminal: ${JSON.stringify(ready)}`);

    const cookies = { host, cookie: user.cookie, origin: fixture.server.publicUrl };
    const panel = await FilePanel.open(`http://${origin}`, cookies);
    await panel.attach(ready.resumeToken);
    const offered = await panel.download(file);
    if (offered.type !== 'download') throw new Error(`no file: ${JSON.stringify(offered)}`);
    const path = `/api/v1/controllers/${device.serialNumber}/files/${offered.transferId}/`;
    const transfer = await fetch(`http://${origin}${path}`, { headers: cookies });
    const reader = transfer.body?.getReader();
    await reader?.read();
    const rest = async () => {
      let bytes = 0;
      for (;;) {
        const part = await reader?.read();
        if (!part || part.done) break;
        bytes += part.value.length;
      }
      throw new Error(`the file ended as if it were whole, after ${bytes} more bytes`);
    };
    // It is taken slowly: only once access has ended does the rest go on, and must not come.
    const fileEnd = messages.closed.then(() =>
      rest().catch((error: Error) => {
        if (error.message.startsWith('the file ended')) throw error;
      }),
    );
    const last = async () => {
      for (;;) {
        const message = await nextMessage();
        if (message.type === 'failed' || message.type === 'exit') return message;
      }
    };
    return { terminal: last(), file: fileEnd, panel: panel.messages.closed.then(() => undefined) };
  }

  async function openStream(device: ClaimedDevice, user: TestUser) {
    const { key } = await fixture.openTunnel(device, 'ssh', user);
    const headers = { authorization: `Bearer ${user.access}`, [tunnelKeyHeader]: key };
    const stream = await openWebSocket(sshStreamPath, headers);
    await once(stream, 'message');
    return { stream: once(stream, 'close').then(() => undefined) };
  }

  /** A channel to a device through the jump host, which its client reads. */
  async function openJump(device: ClaimedDevice, user: TestUser) {
    const pair = ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 });
    const body = { name: device.serialNumber, publicKey: pair.public };
    const added = await fixture.server.call('addSshKey', { as: user, body });
    if (added.status !== 201) throw new Error(`the key was answered ${added.status}`);
    const client = new ssh2.Client();
    client.on('error', () => {});
    client.connect({ host: '127.0.0.1', port: jumpPort, username: user.email, privateKey: pair.private });
    await once(client, 'ready');
    const channel = await new Promise<ssh2.ClientChannel>((resolve, reject) => {
      client.forwardOut('127.0.0.1', 1, device.serialNumber, 22, (error, opened) =>
        error ? reject(error) : resolve(opened),
      );
    });
    await once(channel, 'data');
    channel.pipe(new Writable({ write: (_chunk, _encoding, done) => done() }));
    return { client, end: once(channel, 'close').then(() => undefined) };
  }

  async function openOn(
    link: LinkKind,
    user: TestUser,
    {
      jumps,
      clients,
      place,
    }: {
      jumps: Promise<unknown>[];
      clients: ssh2.Client[];
      place: ((serialNumber: string) => Promise<unknown>) | undefined;
    },
  ) {
    count += 1;
    const device = await fixture.addDevice(`END-${count}`, {
      transport: link,
      endpoints: { http: upstream.port, ssh: sshd.port },
    });
    await place?.(device.serialNumber);
    const http = await openHttp(device, user);
    const terminal = await openTerminal(device, user);
    const stream = await openStream(device, user);
    const jump = await openJump(device, user);
    jumps.push(jump.end);
    clients.push(jump.client);
    return { link, device, browser: http.browser, ends: { ...http.ends, ...terminal, ...stream } };
  }

  return {
    fixture,
    async openAll({ links = bothLinks, prepare, place } = {}) {
      const user = await fixture.addUser('member');
      await prepare?.(user);
      const jumps: Promise<unknown>[] = [];
      const clients: ssh2.Client[] = [];
      const perDevice: OpenOnDevice[] = [];
      for (const link of links) perDevice.push(await openOn(link, user, { jumps, clients, place }));
      const withoutJump = Promise.all(perDevice.flatMap(({ ends }) => Object.values(ends)));
      // Whoever opened it asks in their own time.
      withoutJump.catch(() => {});
      return {
        user,
        perDevice,
        async ended({ withJump }) {
          const elapsed = startStopwatch();
          const told = await withoutJump;
          if (withJump) await Promise.all(jumps);
          const milliseconds = elapsed();
          if (!withJump) for (const client of clients) client.end();
          await Promise.all(jumps);
          for (const client of clients) client.end();
          for (const { device } of perDevice) {
            for (const connection of device.linked.connections) {
              if (!connection.closed) await once(connection, 'close');
            }
          }
          return { told: told.filter((word) => word !== undefined), milliseconds };
        },
        async reasons() {
          const answer = await fixture.server.call('listTunnels', {
            as: fixture.owner,
            params: { organizationId: fixture.organization },
            query: { state: 'ended', page_size: '1000' },
          });
          const { results } = answer.body as { results: TunnelView[] };
          const found: Partial<Record<TunnelView['kind'], (string | null)[]>> = {};
          for (const { kind, user: whose, endReason } of results) {
            if (whose?.id === user.id) found[kind] = [...(found[kind] ?? []), endReason];
          }
          return found;
        },
      };
    },
    async close() {
      await fixture.close();
      upstream.close();
      await sshd.stop();
    },
  };
}
