import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { sshStreamPath, terminalPath, tunnelKeyHeader } from '@pult/contract';
import type { HttpClient } from '@pult/testkit';
import { startPasswordSshServer, WebSocketMessages } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { confirm, giveSecondFactor } from '../organizations/second-factor.fixture.ts';
import {
  type ClaimedDevice,
  createTunnelScene,
  startUpstream,
  type TunnelScene,
  type Upstream,
} from './tunnel-scene.fixture.ts';

let scene: TunnelScene;
let upstream: Upstream;
let ssh: Awaited<ReturnType<typeof startPasswordSshServer>>;
let raw: Server;
let count = 0;

beforeAll(async () => {
  upstream = await startUpstream((_, response) => {
    response.writeHead(200, { 'content-type': 'application/octet-stream' });
    response.write('begun');
  });
  const sockets = new WebSocketServer({ noServer: true });
  upstream.server.on('upgrade', (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (webSocket) => webSocket.on('error', () => {}));
  });
  ssh = await startPasswordSshServer();
  raw = createServer((socket: Socket) => socket.on('error', () => {}).write('SSH-2.0-raw\r\n'));
  raw.listen(0, '127.0.0.1');
  await once(raw, 'listening');
  scene = await createTunnelScene();
});
afterAll(async () => {
  await scene.close();
  upstream.close();
  await ssh.stop();
  raw.close();
});

interface Live {
  device: ClaimedDevice;
  user: TestUser;
  browser: HttpClient;
  /** Resolves when every live thing has ended, to how long it took. */
  ended: Promise<void>;
}

async function openWebSocket(path: string, headers: Record<string, string>): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${scene.server.port}${path}`, {
    headers: { host: `localhost:${scene.server.port}`, ...headers },
  });
  await once(socket, 'open');
  return socket;
}

/** A user with a download, a WebSocket, a terminal and a raw SSH stream open on a device. */
async function openEverything(): Promise<Live> {
  count += 1;
  const device = await scene.addDevice(`END-${count}`, {
    services: { http: upstream.port, ssh: ssh.port },
  });
  const user = await scene.addUser('member');
  const browser = await scene.openBrowser(device, user);
  const download = await browser.request(`${device.origin}/download`);
  await once(download.body, 'data');
  const socket = await browser.openWebSocket(`${device.origin.replace('http:', 'ws:')}/ws`, {
    headers: { origin: device.origin },
  });

  const credentials = { authorization: `Bearer ${user.access}` };
  const terminal = await openWebSocket(terminalPath, credentials);
  const messages = new WebSocketMessages(terminal);
  const { key } = await scene.openTunnel(device, 'ssh', user);
  const { user: username, password } = ssh;
  terminal.send(
    JSON.stringify({
      type: 'start',
      tunnelKey: key,
      username,
      credential: { method: 'password', password },
      columns: 80,
      rows: 24,
    }),
  );
  expect(JSON.parse(String((await messages.next()).data))).toMatchObject({ type: 'ready' });

  const streamKey = (await scene.openTunnel(device, 'ssh', user)).key;
  const stream = await openWebSocket(sshStreamPath, { ...credentials, [tunnelKeyHeader]: streamKey });
  await once(stream, 'message');

  const downloadEnd = new Promise<void>((resolve, reject) => {
    download.body.on('error', () => resolve());
    download.body.on('end', () => reject(new Error('the download ended as if it were whole')));
    download.body.resume();
  });
  const lastMessage = async () => {
    for (;;) {
      const { data, isBinary } = await messages.next();
      if (!isBinary) return JSON.parse(String(data));
    }
  };
  const ended = Promise.all([
    downloadEnd,
    once(socket, 'close'),
    lastMessage().then((message) =>
      expect(message).toMatchObject({
        type: 'failed',
        code: 'access_ended',
        detail: expect.stringMatching(/./),
      }),
    ),
    messages.closed,
    once(stream, 'close'),
  ]).then(() => expect.poll(() => device.linked.connections.size).toBe(0));
  return { device, user, browser, ended };
}

async function expectRefused({ browser, device }: Live): Promise<void> {
  const answer = await browser.request(`${device.origin}/download`);
  answer.body.destroy();
  expect(answer.status).toBe(401);
}

const members = () => scene.server.db.updateTable('memberships');

function membershipOf(user: TestUser) {
  return { as: scene.owner, params: { organizationId: scene.organization, userId: user.id } };
}

/** Ways in which access ends, by the calls that end it. */
const endings: Record<string, (live: Live) => Promise<unknown>> = {
  'the session logs out': ({ user }) => scene.server.call('logout', { as: user }),
  'the controller is deleted': ({ device: { serialNumber } }) =>
    scene.server.call('deleteController', { as: scene.owner, params: { serialNumber } }),
  'the user becomes a viewer': ({ user }) =>
    scene.server.call('updateMember', { ...membershipOf(user), body: { role: 'viewer' } }),
  'the user is removed from the organization': ({ user }) =>
    scene.server.call('removeMember', membershipOf(user)),
  'the user leaves the organization': ({ user }) =>
    scene.server.call('leaveOrganization', { as: user, params: { organizationId: scene.organization } }),
};

describe('when', () => {
  it.each(Object.keys(endings))('%s, what is open is cut and what is new refused at once', async (name) => {
    const live = await openEverything();
    await endings[name]?.(live);
    await expectRefused(live);
    await live.ended;
  });

  it.each<[string, (live: Live) => Promise<unknown>]>([
    [
      'sessions',
      ({ user }) => scene.server.db.deleteFrom('sessions').where('user_id', '=', user.id).execute(),
    ],
    ['memberships', ({ user }) => members().set({ role: 'viewer' }).where('user_id', '=', user.id).execute()],
    [
      'controllers',
      ({ device }) =>
        scene.server.db.deleteFrom('controllers').where('serial_number', '=', device.serialNumber).execute(),
    ],
  ])('a row of %s changes without an event, what is open is cut at the next look', async (_, change) => {
    const live = await openEverything();
    await change(live);
    await live.ended;
  });

  it('the session reaches its end, the tunnel ends', async () => {
    const live = await openEverything();
    await scene.server.db
      .updateTable('sessions')
      .set({ expires_at: new Date(scene.server.clock.now().getTime() + 60_000) })
      .where('user_id', '=', live.user.id)
      .execute();
    scene.server.clock.advance(60_000);
    await live.ended;
    await expectRefused(live);
  });

  it('the organization begins to require a second factor, the tunnels of who has none end', async () => {
    const live = await openEverything();
    await giveSecondFactor(scene.server, scene.owner);
    await confirm(scene.server, scene.owner, 'change_org_totp');
    const change = (totpRequired: boolean) =>
      scene.server.call('updateOrganization', {
        as: scene.owner,
        params: { organizationId: scene.organization },
        body: { totpRequired },
      });
    expect((await change(true)).status).toBe(200);
    await expectRefused(live);
    await live.ended;
    await change(false);
    await scene.server.db.updateTable('users').set({ totp_secret: null }).execute();
  });

  it('another’s access ends, nothing is cut', async () => {
    const live = await openEverything();
    const bystander = await scene.addUser('member');
    await scene.server.call('logout', { as: bystander });
    const answer = await live.browser.request(`${live.device.origin}/download`);
    expect(answer.status).toBe(200);
    answer.body.on('error', () => {});
    await scene.server.call('logout', { as: live.user });
    await live.ended;
  });

  // The last one: after it every access token so far is too old.
  it('12 hours are over, the tunnel ends', async () => {
    const live = await openEverything();
    scene.server.clock.advance(12 * 3600 * 1000 - 1);
    const answer = await live.browser.request(`${live.device.origin}/download`);
    answer.body.on('error', () => {});
    expect(answer.status).toBe(200);
    scene.server.clock.advance(1);
    await live.ended;
    scene.server.clock.advance(1_000);
    await expectRefused(live);
  });
});
