import { once } from 'node:events';
import type { Socket } from 'node:net';
import { sshStreamPath, tunnelKeyHeader } from '@pult/contract';
import { startStopwatch, WebSocketMessages } from '@pult/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { addToken } from '../accounts/tokens/tokens.fixture.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startRawUpstream,
  startUpstream,
  type TunnelFixture,
} from './tunnel.fixture.ts';

/** Tunnels that a program opens by a token, with the timing of a real server. */

let fixture: TunnelFixture;
let device: ClaimedDevice;
let ssh: Awaited<ReturnType<typeof startRawUpstream>>;
let web: Awaited<ReturnType<typeof startUpstream>>;

beforeAll(async () => {
  ssh = await startRawUpstream((socket: Socket) => socket.pipe(socket));
  web = await startUpstream((_, response) => response.end('page'));
  fixture = await createTunnelFixture({ timing: { tunnelCheckMs: undefined } });
  device = await fixture.addDevice('TOKEN-1', { endpoints: { ssh: ssh.port, http: web.port } });
});
afterAll(async () => {
  await fixture.close();
  ssh.close();
  web.close();
});

async function openStream(as: { access: string }, key: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${sshStreamPath}`, {
    headers: { authorization: `Bearer ${as.access}`, [tunnelKeyHeader]: key },
  });
  const messages = new WebSocketMessages(socket);
  await once(socket, 'open');
  return { socket, messages };
}

async function addProgram(expiresAt: string | null = null) {
  const user = await fixture.addUser('member');
  const made = await addToken(fixture.server, user, ['tunnels.open'], { expiresAt });
  return { user, made, program: { ...user, access: made.token } };
}

it('a token of tunnels.open opens a stream, and its end within 2 s is that of the stream and of the web interface', async () => {
  const { user, made, program } = await addProgram();
  const browser = await fixture.openBrowser(device, program);
  expect((await browser.request(`${device.origin}/`)).status).toBe(200);
  const { key } = await fixture.openTunnel(device, 'ssh', program);
  const { socket, messages } = await openStream(program, key);
  socket.send('hello');
  expect(String((await messages.next()).data)).toBe('hello');
  const elapsed = startStopwatch();
  await fixture.server.call('deleteToken', { as: user, params: { tokenId: made.id } });
  await messages.closed;
  expect(elapsed()).toBeLessThan(2_000);
  expect((await browser.request(`${device.origin}/`)).status).toBe(401);
});

it('a tunnel of a token ends with the time of the token, which no event tells', async () => {
  const end = new Date(fixture.server.clock.now().getTime() + 60_000).toISOString();
  const { program } = await addProgram(end);
  const { key } = await fixture.openTunnel(device, 'ssh', program);
  const { messages } = await openStream(program, key);
  const elapsed = startStopwatch();
  fixture.server.clock.advance(60_000);
  await messages.closed;
  expect(elapsed()).toBeLessThan(2_000);
});

it('a ticket of a token is worth nothing to the login of its owner, and the other way round', async () => {
  const { user, program } = await addProgram();
  const ofProgram = await fixture.openTunnel(device, 'ssh', program);
  const ofPerson = await fixture.openTunnel(device, 'ssh', user);
  for (const [as, { key }] of [
    [user, ofProgram],
    [program, ofPerson],
  ] as const) {
    const { messages } = await openStream(as, key);
    expect(await messages.closed).toEqual({ code: 4000, reason: 'tunnel_ticket_invalid' });
  }
});

it('the log names the token by which a tunnel was opened', async () => {
  const { user, program } = await addProgram();
  await fixture.openTunnel(device, 'ssh', program);
  const events = await fixture.server.db
    .selectFrom('audit_events')
    .select('details')
    .where('user_id', '=', user.id)
    .where('action', '=', 'tunnel.opened')
    .execute();
  expect(events).toEqual([{ details: { protocol: 'ssh', token: 'Script' } }]);
});
