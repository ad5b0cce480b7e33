import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePortRange, HttpClient } from '@pult/testkit';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../../../platform/ids.ts';
import { createLog } from '../../../../platform/log.ts';
import type { TunnelTarget } from '../../tunnels.repository.ts';
import { nameOf } from '../address.ts';
import type { TunnelProxy } from '../strategy.ts';
import { createTunnelPortsRepository } from './tunnel-ports.repository.ts';
import { createTunnelPorts, type TunnelPorts } from './tunnel-ports.ts';

/** Which web interface has which port, with a real database and real listeners. */

let server: TestServer;
let owner: TestUser;
let organizationId: string;
/** Of any user: the tunnels need one. */
let sessionId: string;
const running: TunnelPorts[] = [];
const minute = 60_000;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner);
  const session = await server.db.selectFrom('sessions').select('id').executeTakeFirstOrThrow();
  sessionId = session.id;
});
afterAll(() => server.close());
afterEach(async () => {
  for (const ports of running.splice(0)) ports.close();
  await server.db.deleteFrom('tunnel_ports').execute();
});

/** Says whose request it is. */
const proxy: TunnelProxy = {
  siteOf: (endpoint) => ({
    request: (_, response) =>
      void response.end(endpoint ? `${nameOf(endpoint.web)}${endpoint.isReused ? ' reused' : ''}` : 'nobody'),
    upgrade: (_request, socket) => void socket.destroy(),
  }),
  close() {},
};

async function create(range: { from: number; to: number }): Promise<TunnelPorts> {
  const ports = createTunnelPorts({
    proxy,
    repository: createTunnelPortsRepository(server.db),
    log: createLog('silent'),
    clock: server.clock,
    host: '127.0.0.1',
    range,
    publicUrl: 'http://127.0.0.1:8080',
  });
  running.push(ports);
  await ports.start();
  return ports;
}

async function addTarget(of = organizationId): Promise<TunnelTarget> {
  const { id, serialNumber, enrolmentId } = await createTestController(server, { organizationId: of });
  return { controllerId: id, serialNumber, enrolmentId, organizationId: of };
}

/** As a user does: with the port there is a tunnel. */
async function open(
  ports: TunnelPorts,
  target: TunnelTarget,
  port: number | null = null,
  { id }: { id: string } = owner,
): Promise<string> {
  const origin = await ports.open(target, port, id);
  const now = server.clock.now();
  await server.db
    .insertInto('tunnels')
    .values({
      ...{ id: createId(), user_id: id, session_id: sessionId, controller_id: target.controllerId },
      ...{
        protocol: 'http',
        endpoint_port: port,
        credential_version: '',
        ticket_hash: null,
        cookie_hash: null,
      },
      ...{ ticket_expires_at: now, created_at: now, expires_at: new Date(now.getTime() + 12 * 60 * minute) },
    })
    .execute();
  server.clock.advance(1_000);
  return origin;
}

const exhausted = { code: 'tunnel_ports_exhausted' };

const read = async (origin: string, host?: string) =>
  (await new HttpClient().request(`${origin}/`, host ? { headers: { host } } : {})).text();

describe('the ports of web interfaces', () => {
  it('the ports of web interfaces are one for each, the same again, and never one for two, however many ask at once', async () => {
    const ports = await create(await freePortRange(6));
    const [one, other] = [await addTarget(), await addTarget()];
    const asked = [one, other].flatMap((target) => [null, 8080, 9090].map((port) => ({ target, port })));
    const origins = await Promise.all(
      [...asked, ...asked, ...asked].map(({ target, port }) => open(ports, target, port)),
    );
    expect(new Set(origins).size).toBe(asked.length);
    for (const [index, { target, port }] of asked.entries()) {
      const origin = origins[index] ?? '';
      expect([origin, origin]).toEqual([origins[index + 6], origins[index + 12]]);
      expect(await read(origin)).toBe(nameOf({ serialNumber: target.serialNumber, port }));
    }
  });

  it('answer to no other host name than the one that leads to them', async () => {
    const ports = await create(await freePortRange(1));
    const origin = await open(ports, await addTarget(), null);
    expect(await read(origin, 'evil.example')).toBe('nobody');
    expect(await read(origin, `localhost:${new URL(origin).port}`)).toBe('nobody');
  });

  it('the ports of web interfaces are refused when all are in use, and the idle one is taken over, never one in use', async () => {
    const ports = await create(await freePortRange(2));
    const [one, two, three] = [await addTarget(), await addTarget(), await addTarget()];
    const [first, second] = [await open(ports, one, null), await open(ports, two, null)];
    await expect(open(ports, three, null)).rejects.toMatchObject({
      code: 'tunnel_ports_exhausted',
      values: { minutes: 15 },
    });
    server.clock.advance(10 * minute);
    await read(first);
    await ports.sweep();
    server.clock.advance(6 * minute);
    expect(await open(ports, three, null)).toBe(second);
    expect(await read(second)).toBe(`${three.serialNumber} reused`);
    // The one that lost it finds no other for now, and the one in use has stayed.
    await expect(open(ports, two, null)).rejects.toMatchObject({ code: 'tunnel_ports_exhausted' });
    expect(await read(first)).toBe(one.serialNumber);
  });

  it('the ports of web interfaces are exact when more ask at once than there are', async () => {
    const ports = await create(await freePortRange(3));
    const targets = await Promise.all(Array.from({ length: 8 }, addTarget));
    const outcomes = await Promise.allSettled(targets.map((target) => open(ports, target, null)));
    const given = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect([given.length, new Set(given).size]).toEqual([3, 3]);
  });

  it('pass over one on which another program listens', async () => {
    const range = await freePortRange(2);
    const stranger = createServer().listen(range.from, '127.0.0.1');
    await once(stranger, 'listening');
    const ports = await create(range);
    const target = await addTarget();
    expect(await open(ports, target, null)).toBe(`http://127.0.0.1:${range.to}`);
    await expect(open(ports, await addTarget(), null)).rejects.toMatchObject({
      code: 'tunnel_ports_exhausted',
    });
    stranger.close();
    await once(stranger, 'close');
  });

  it('the ports of web interfaces are kept over a restart of the server, and given up once nobody can be there', async () => {
    const range = await freePortRange(2);
    const before = await create(range);
    const [one, two] = [await addTarget(), await addTarget()];
    const [first, second] = [await open(before, one, null), await open(before, two, 8080)];
    before.close();
    const after = await create(range);
    expect(await read(first)).toBe(one.serialNumber);
    expect(await read(second)).toBe(`${two.serialNumber}--8080`);

    await after.sweep();
    server.clock.advance(11 * 60 * minute);
    await read(first);
    await after.sweep();
    server.clock.advance(2 * 60 * minute);
    await after.sweep();
    expect(await read(first)).toBe(one.serialNumber);
    await expect(read(second)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    expect(await open(after, two, 8080)).toBe(second);
    expect(await read(second)).toBe(`${two.serialNumber}--8080`);
  });

  it('an organization that holds all ports gives them up to another one until both hold as many', async () => {
    const ports = await create(await freePortRange(4));
    const held: string[] = [];
    for (let count = 0; count < 4; count += 1) held.push(await open(ports, await addTarget()));
    const other = await server.createUser();
    const others = await server.createOrganization(other);
    // Those used least lately.
    expect(await open(ports, await addTarget(others), null, other)).toBe(held[0]);
    expect(await open(ports, await addTarget(others), null, other)).toBe(held[1]);
    await expect(open(ports, await addTarget(others), null, other)).rejects.toMatchObject(exhausted);
    await expect(open(ports, await addTarget())).rejects.toMatchObject(exhausted);
  });

  it('a user who holds all ports gives them up to another one of the organization, and so do their guests', async () => {
    const ports = await create(await freePortRange(3));
    const [guest, second] = [{ id: createId() }, { id: createId() }];
    for (const { id } of [guest, second]) {
      const made = { kind: 'guest', belongs_to: organizationId, created_by: owner.id } as const;
      const row = { id, email: id, password_hash: '', locale: 'en', created_at: server.clock.now() } as const;
      await server.db
        .insertInto('users')
        .values({ ...row, ...made })
        .execute();
    }
    const held = [await open(ports, await addTarget()), await open(ports, await addTarget(), null, guest)];
    await open(ports, await addTarget());
    await expect(open(ports, await addTarget(), null, second)).rejects.toMatchObject(exhausted);
    const member = await server.createUser();
    await server.addMember(organizationId, member, 'member');
    expect(await open(ports, await addTarget(), null, member)).toBe(held[0]);
    await expect(open(ports, await addTarget(), null, member)).rejects.toMatchObject(exhausted);
  });

  it('a user with many organizations holds no more ports by it', async () => {
    const ports = await create(await freePortRange(3));
    const greedy = await server.createUser();
    for (let count = 0; count < 3; count += 1) {
      await open(ports, await addTarget(await server.createOrganization(greedy)), null, greedy);
    }
    await open(ports, await addTarget());
    await expect(
      open(ports, await addTarget(await server.createOrganization(greedy)), null, greedy),
    ).rejects.toMatchObject(exhausted);
  });

  it('a port to which no tunnel leads is free after a minute', async () => {
    const ports = await create(await freePortRange(1));
    const origin = await ports.open(await addTarget(), null, owner.id);
    await expect(open(ports, await addTarget())).rejects.toMatchObject(exhausted);
    server.clock.advance(minute + 1);
    expect(await open(ports, await addTarget())).toBe(origin);
  });
});
