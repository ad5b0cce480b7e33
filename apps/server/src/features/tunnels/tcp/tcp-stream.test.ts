import { once } from 'node:events';
import type { Socket } from 'node:net';
import { type Permission, tcpStreamPath, tunnelKeyHeader } from '@pult/contract';
import { ServiceError } from '@pult/link';
import { TcpMessages } from '@pult/link/tcp-messages';
import { HttpClient, startStopwatch } from '@pult/testkit';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { addToken, bearer } from '../../accounts/tokens/tokens.fixture.ts';
import {
  type ClaimedDevice,
  createTunnelFixture,
  startRawUpstream,
  type TunnelFixture,
} from '../tunnel.fixture.ts';

let fixture: TunnelFixture;
let upstream: Awaited<ReturnType<typeof startRawUpstream>>;
let device: ClaimedDevice;
let serve: (socket: Socket) => void;
const echo = (socket: Socket) => void socket.pipe(socket);
let admin: TestUser;
let member: TestUser;

beforeAll(async () => {
  upstream = await startRawUpstream((socket) => serve(socket));
  // The looks of a real server.
  fixture = await createTunnelFixture({ timing: { tunnelCheckMs: undefined } });
  const endpoints = { 'port-5432': upstream.port, 'port-6379': upstream.port };
  device = await fixture.addDevice('TCP-1', { endpoints });
  const params = { serialNumber: 'TCP-1' };
  const body = { port: 6379, name: 'Redis' };
  await fixture.server.call('createService', { as: fixture.owner, params, body });
  fixture.server.clock.advance(1);
});
beforeEach(async () => {
  serve = echo;
  admin = await fixture.addUser('admin');
  member = await fixture.addUser('member');
});
afterAll(async () => {
  await fixture.close();
  upstream.close();
});

async function connect(key: string, headers: Record<string, string>) {
  const webSocket = new WebSocket(`ws://127.0.0.1:${fixture.server.port}${tcpStreamPath}`, {
    headers: { ...headers, [tunnelKeyHeader]: key },
  });
  const closed = once(webSocket, 'close').then(([code, reason]) => [code, String(reason)]);
  const stream = new TcpMessages(webSocket);
  stream.on('error', () => {});
  await once(webSocket, 'open');
  return { webSocket, stream, closed };
}
const loginOf = ({ access }: TestUser) => ({ authorization: `Bearer ${access}` });

/** The key of a tunnel that this user may open, and a connection by it that carries bytes. */
async function open(protocol: string, as: TestUser) {
  const { key } = await fixture.openTunnel(device, protocol, as);
  const connection = await connect(key, loginOf(as));
  connection.stream.write('hello');
  expect(String((await once(connection.stream, 'data'))[0])).toBe('hello');
  return { key, ...connection };
}
const ask = (protocol: string, headers: Record<string, string>) =>
  fixture.server.call('openTunnel', { headers, params: { serialNumber: 'TCP-1', protocol } });

async function listOpened(user: TestUser) {
  return fixture.server.db
    .selectFrom('audit_events')
    .select(['subject', 'details'])
    .where('user_id', '=', user.id)
    .where('action', '=', 'tunnel.opened')
    .execute();
}

describe('a TCP port of a controller', () => {
  it('a TCP port with a name is reached by an admin, with as many connections as there are by one key', async () => {
    const { key, stream, closed } = await open('tcp-6379', admin);
    const other = await connect(key, loginOf(admin));
    const sent = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    other.stream.end(sent);
    const received: Buffer[] = [];
    for await (const chunk of other.stream) received.push(chunk);
    expect(Buffer.concat(received)).toEqual(sent);
    expect(await other.closed).toEqual([1000, '']);
    stream.end();
    expect(await closed).toEqual([1000, '']);
    expect(await listOpened(admin)).toEqual([
      { subject: 'TCP-1', details: { protocol: 'tcp', port: 6379, service: 'Redis' } },
    ]);
    const params = { organizationId: fixture.organization };
    const live = await fixture.server.call('listTunnels', { as: fixture.owner, params });
    expect(live.body).toMatchObject({ results: [{ kind: 'tcp', port: 6379, user: { id: admin.id } }] });
  });

  it.each(['tcp-5432', 'tcp-6379'])(
    '%s, a TCP port without and with a name, is for admins, and for tokens with a scope of its own',
    async (port) => {
      expect(await ask(port, loginOf(member))).toMatchObject({
        status: 403,
        body: { code: 'role_forbidden' },
      });
      const tokenOf = async (user: TestUser, scopes: Permission[]) =>
        bearer(await addToken(fixture.server, user, scopes));
      const weak = await tokenOf(admin, ['tunnels.open']);
      expect(await ask(port, weak)).toMatchObject({ status: 403, body: { code: 'token_forbidden' } });
      const both = await tokenOf(admin, ['tunnels.open', 'tunnels.forward']);
      expect((await ask(port, both)).status).toBe(200);
      const members = await tokenOf(member, ['tunnels.open', 'tunnels.forward']);
      expect((await ask(port, members)).body).toMatchObject({ code: 'role_forbidden' });
    },
  );

  it('the audit log has the number of a TCP port, and its name where it has one', async () => {
    for (const port of ['tcp-6379', 'tcp-5432']) await ask(port, loginOf(admin));
    expect((await listOpened(admin)).map(({ details }) => details)).toEqual([
      { protocol: 'tcp', port: 6379, service: 'Redis' },
      { protocol: 'tcp', port: 5432 },
    ]);
  });

  it('a TCP port is a number from 1 to 65535', async () => {
    for (const none of ['tcp-0', 'tcp-65536', 'tcp-', 'tcp-80x', 'tcp']) {
      expect((await ask(none, loginOf(admin))).body).toMatchObject({ code: 'protocol_unsupported' });
    }
  });

  it('a direction ends by itself: what the service says after the end of the question comes, whole', async () => {
    serve = (socket) => {
      let question = '';
      socket.on('data', (chunk) => {
        question += chunk;
      });
      socket.on('end', () => socket.end(`answer to ${question}`));
    };
    const { key } = await fixture.openTunnel(device, 'tcp-5432', admin);
    const { stream, closed } = await connect(key, loginOf(admin));
    stream.end('question');
    const answer: Buffer[] = [];
    for await (const chunk of stream) answer.push(chunk);
    expect(String(Buffer.concat(answer))).toBe('answer to question');
    expect(await closed).toEqual([1000, '']);
    await expect.poll(() => device.linked.connections.size).toBe(0);
  });

  it('a service is held back for a reader that does not read, and gives it all in the end', async () => {
    const size = 48 * 1024 * 1024;
    let written = 0;
    serve = (socket) => {
      const piece = Buffer.alloc(64 * 1024, 7);
      const more = () => {
        while (written < size) {
          written += piece.length;
          if (!socket.write(piece)) return void socket.once('drain', more);
        }
        socket.end();
      };
      more();
    };
    const { key } = await fixture.openTunnel(device, 'tcp-5432', admin);
    const { stream, closed } = await connect(key, loginOf(admin));
    let stalledAt = -1;
    await expect
      .poll(
        () => {
          const stands = written > 0 && written === stalledAt;
          stalledAt = written;
          return stands;
        },
        { interval: 300, timeout: 20_000 },
      )
      .toBe(true);
    expect(stalledAt).toBeLessThan(size);
    let received = 0;
    stream.on('data', ({ length }: Buffer) => {
      received += length;
    });
    await once(stream, 'end');
    expect(received).toBe(size);
    stream.end();
    expect(await closed).toEqual([1000, '']);
  });

  it('a service that resets cuts its client, which never looks like an end', async () => {
    serve = (socket) => socket.once('data', () => socket.resetAndDestroy());
    const { key } = await fixture.openTunnel(device, 'tcp-5432', admin);
    const { stream, closed } = await connect(key, loginOf(admin));
    stream.write('x');
    expect((await closed)[0]).not.toBe(1000);
  });

  it('a port that the device does not let through is refused by its name', async () => {
    const refusing = await fixture.addDevice('TCP-2', {
      handlers: { connectService: () => Promise.reject(new ServiceError('service_not_allowed', 'no')) },
    });
    const { key } = await fixture.openTunnel(refusing, 'tcp-5432', admin);
    const { closed } = await connect(key, loginOf(admin));
    expect(await closed).toEqual([4000, 'service_not_allowed']);
  });

  it('a key is taken for its own session and its own use alone', async () => {
    const { key, stream } = await open('tcp-6379', admin);
    stream.end();
    const ssh = await fixture.openTunnel(device, 'ssh', admin);
    const body = { username: admin.email, password: admin.password };
    const login = await fixture.server.call('login', { body });
    const again = { ...admin, ...(login.body as { access: string }) };
    for (const [tried, headers] of [
      [ssh.key, loginOf(admin)],
      ['', loginOf(admin)],
      [key, loginOf(member)],
      [key, loginOf(again)],
    ] as const) {
      const { closed } = await connect(tried, headers);
      expect(await closed).toEqual([4000, 'tunnel_ticket_invalid']);
    }
    // Nor is it a cookie of the same port's web interface.
    const browser = new HttpClient();
    const host = `tcp-1--6379.http.localhost:${fixture.server.port}`;
    const cookies = ['__Host-pult_tunnel', 'pult_tunnel'].map((name) => `${name}=${key}`).join('; ');
    const page = await browser.request(`http://${host}/`, { headers: { cookie: cookies } });
    expect(page.status).toBe(401);
  });
});

describe('what goes through a TCP tunnel', () => {
  async function isCutBy(connection: { closed: Promise<unknown[]> }, end: () => Promise<unknown>) {
    const elapsed = startStopwatch();
    await end();
    expect((await connection.closed)[0]).not.toBe(1000);
    expect(elapsed()).toBeLessThan(2_000);
  }
  const setRole = (user: TestUser, role: string) =>
    fixture.server.call('updateMember', {
      as: fixture.owner,
      params: { organizationId: fixture.organization, userId: user.id },
      body: { role },
    });

  it('a connection ends within two seconds with the role, whether or not the port has a name', async () => {
    const connections = [await open('tcp-6379', admin), await open('tcp-5432', admin)];
    const cut = Promise.all(connections.map(({ closed }) => closed)).then(([first]) => first ?? []);
    await isCutBy({ closed: cut }, () => setRole(admin, 'member'));
    for (const { key } of connections) {
      const refused = await connect(key, loginOf(admin));
      expect(await refused.closed).toEqual([4000, 'tunnel_ticket_invalid']);
    }
  });

  it('a connection ends within two seconds with its token', async () => {
    const token = await addToken(fixture.server, admin, ['tunnels.open', 'tunnels.forward']);
    const { body } = await ask('tcp-5432', bearer(token));
    const { tunnelKey } = body as { tunnelKey: string };
    const connection = await connect(tunnelKey, bearer(token));
    const params = { tokenId: token.id };
    await isCutBy(connection, () => fixture.server.call('deleteToken', { as: admin, params }));
  });

  it('a connection ends within two seconds with its controller', async () => {
    const other = await fixture.addDevice('TCP-3', { endpoints: { 'port-5432': upstream.port } });
    const as = fixture.owner;
    const connection = await connect((await fixture.openTunnel(other, 'tcp-5432', as)).key, loginOf(as));
    const params = { serialNumber: 'TCP-3' };
    await isCutBy(connection, () => fixture.server.call('deleteController', { as, params }));
  });
});
