import type { Permission } from '@pult/contract';
import { listReservedPorts } from '@pult/contract';
import type { TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, bearer } from '../accounts/tokens/tokens.fixture.ts';
import { createJumpFixture, type JumpFixture, openChannel } from './jump/jump.fixture.ts';

/** Who may use which port of a controller, by each way there is. */

let t: JumpFixture;
const serialNumber = 'JUMP-1';
/** Named before any test: a broker, one that the installation has added, and a web page. */
const named = { broker: 1883, added: 8091, page: 8080 };

type Who = 'viewer' | 'member' | 'admin' | 'weak token' | 'token' | 'token of a member';
const headersOf = {} as Record<Who, Record<string, string>>;
let admin: TestUser;
let member: TestUser;

const call: JumpFixture['fixture']['server']['call'] = (name, options) =>
  t.fixture.server.call(name, options);
const params = { serialNumber };

beforeAll(async () => {
  t = await createJumpFixture({ environment: { RESERVED_PORTS: '8091, 8092' } });
  const { fixture } = t;
  for (const port of Object.values(named)) {
    const body = { port, name: `On ${port}` };
    expect((await call('createService', { as: fixture.owner, params, body })).status).toBe(201);
  }
  fixture.server.clock.advance(1);
  admin = await fixture.addUser('admin');
  member = await fixture.addUser('member');
  const viewer = await fixture.addUser('viewer');
  const scopes: Permission[] = ['tunnels.open', 'controllers.update', 'guests.manage'];
  const login = ({ access }: TestUser) => ({ authorization: `Bearer ${access}` });
  const tokenOf = async (user: TestUser, more: Permission[]) =>
    bearer(await addToken(fixture.server, user, [...scopes, ...more]));
  Object.assign(headersOf, {
    viewer: login(viewer),
    member: login(member),
    admin: login(admin),
    'weak token': await tokenOf(admin, []),
    token: await tokenOf(admin, ['tunnels.forward']),
    'token of a member': await tokenOf(member, ['tunnels.forward']),
  });
});
afterAll(() => t[Symbol.asyncDispose]());

async function outcomeOf(answer: Promise<{ status: number; body: unknown }>): Promise<string | number> {
  const { status, body } = await answer;
  if (status < 300) return 'ok';
  const { code, ...fields } = body as { code?: string };
  return code ?? Object.keys(fields).join();
}

const open = (protocol: string) => (headers: Record<string, string>) =>
  outcomeOf(call('openTunnel', { headers, params: { serialNumber, protocol } }));

const rename = (port: number) => (headers: Record<string, string>) =>
  outcomeOf(
    call('updateService', { headers, params: { ...params, port: String(port) }, body: { scheme: 'http' } }),
  );

const name = (port: number) => async (headers: Record<string, string>) => {
  const outcome = await outcomeOf(
    call('createService', { headers, params, body: { port, name: 'For a moment' } }),
  );
  if (outcome !== 'ok') return outcome;
  // What somebody may name, they may take away again.
  return outcomeOf(call('deleteService', { headers, params: { ...params, port: String(port) } }));
};

const share = (port: number) => (headers: Record<string, string>) => {
  const expiresAt = new Date(t.fixture.server.clock.now().getTime() + 3_600_000).toISOString();
  const body = { service: port, name: 'Guest', expiresAt };
  return outcomeOf(call('createGuestLink', { headers, params, body }));
};

const [weak, no] = ['role_forbidden', 'port_reserved'];
const scope = 'token_forbidden';

describe('a port of a controller', () => {
  // In the order of `Who`.
  it.each<[string, (headers: Record<string, string>) => Promise<string | number>, (string | number)[]]>([
    ['name a page', name(8081), [weak, 'ok', 'ok', 'ok', 'ok', 'ok']],
    ['name a broker', name(18884), [weak, no, 'ok', no, 'ok', no]],
    ['name a database', name(5432), [weak, no, 'ok', no, 'ok', no]],
    ['name SSH', name(22), [weak, no, 'ok', no, 'ok', no]],
    ['name what the installation has added', name(8092), [weak, no, 'ok', no, 'ok', no]],
    ['change a page', rename(named.page), [weak, 'ok', 'ok', 'ok', 'ok', 'ok']],
    ['change a broker', rename(named.broker), [weak, no, 'ok', no, 'ok', no]],
    ['open a page', open('8080'), [weak, 'ok', 'ok', 'ok', 'ok', 'ok']],
    ['open a broker', open('1883'), [weak, no, 'ok', no, 'ok', no]],
    ['open what the installation has added', open('8091'), [weak, no, 'ok', no, 'ok', no]],
    [
      'open a broker without a name',
      open('18885'),
      [weak, no, 'protocol_unsupported', no, 'protocol_unsupported', no],
    ],
    ['forward a page', open('tcp-8080'), [weak, weak, 'ok', scope, 'ok', weak]],
    ['forward a broker', open('tcp-1883'), [weak, weak, 'ok', scope, 'ok', weak]],
    ['forward what has no name', open('tcp-18886'), [weak, weak, 'ok', scope, 'ok', weak]],
    ['share a page', share(named.page), [weak, weak, 'ok', 'ok', 'ok', weak]],
    ['share a broker', share(named.broker), [weak, weak, 'service', 'service', 'service', weak]],
    ['open SSH itself', open('ssh'), [weak, 'ok', 'ok', 'ok', 'ok', 'ok']],
  ])(
    '%s: viewer, member, admin, tokens of an admin without and with the scope, of a member',
    async (_, act, expected) => {
      const found: (string | number)[] = [];
      for (const headers of Object.values(headersOf)) found.push(await act(headers));
      expect(found).toEqual(expected);
    },
  );

  it('the jump host leads to port 22 alone, whoever asks', async () => {
    for (const user of [member, admin, t.fixture.owner]) {
      const client = await t.logIn({ user });
      for (const port of [1883, 18884, 8080, 65_558]) {
        await expect(openChannel(client, serialNumber, port)).rejects.toThrow();
      }
      (await openChannel(client, serialNumber, 22)).destroy();
    }
  });

  it('the audit log names the right that somebody lacked', async () => {
    const someone = await t.fixture.addUser('member');
    await open('1883')({ authorization: `Bearer ${someone.access}` });
    const events = await t.fixture.server.db
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .where('user_id', '=', someone.id)
      .where('action', '=', 'access.refused')
      .execute();
    expect(events.map(({ details }) => details)).toEqual([
      { route: 'openTunnel', permission: 'tunnels.forward' },
    ]);
  });

  it('the list of services says which ports are reserved', async () => {
    const { body } = await call('listServices', { as: member, params });
    expect(body).toMatchObject([
      { port: 1883, isReserved: true },
      { port: 8080, isReserved: false },
      { port: 8091, isReserved: true },
    ]);
  });

  it('the ports of brokers and gateways are reserved for every kind of device', () => {
    for (const ports of Object.values(listReservedPorts())) {
      expect(ports).toEqual(
        expect.arrayContaining([22, 502, 1883, 8883, 9001, 18883, 18884, 18885, 18886, 21880]),
      );
      expect(ports).not.toContain(80);
    }
  });
});
