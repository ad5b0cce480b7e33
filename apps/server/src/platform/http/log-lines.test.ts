import { Writable } from 'node:stream';
import {
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  tokenOf,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let server: TestServer;
let lines: string[] = [];

beforeAll(async () => {
  const output = new Writable({
    write(chunk: Buffer, _, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  server = await createTestServer({
    log: pino({ level: 'trace', base: null }, output),
    environment: { ENROLLMENT_KEY: 'enrolment-key-nobody-logs', TRUSTED_PROXIES: '192.0.2.9' },
  });
});
afterAll(() => server.close());
beforeEach(() => {
  lines = [];
});

function entries(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

it('tells of a request its id, method, path, status, client and time, and nothing else', async () => {
  await server.request('GET', '/api/v1/environments/?token=secret-in-a-query', {
    headers: { 'user-agent': 'agent', cookie: 'a=b' },
    remoteAddress: '192.0.2.1',
  });
  expect(entries()).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      reqId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      method: 'GET',
      path: '/api/v1/environments/',
      status: 400,
      address: '192.0.2.1',
      ms: expect.any(Number),
      msg: 'request',
    },
  ]);
});

it('says once that a forwarded address is ignored, and takes the client for who it is', async () => {
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' }, remoteAddress: '192.0.2.1' };
  await server.request('GET', '/api/v1/environments/', forwarded);
  await server.request('GET', '/api/v1/environments/', forwarded);
  expect(entries().filter(({ level }) => level === 40)).toMatchObject([
    { peer: '192.0.2.1', msg: expect.stringContaining('TRUSTED_PROXIES') },
  ]);
  expect(entries().filter(({ address }) => address === '203.0.113.7')).toEqual([]);
});

it('takes the address that a trusted proxy tells without its port and brackets, in routes as in lines', async () => {
  const ask = (forwarded: string) =>
    server.request('GET', '/api/v1/environments/', {
      headers: { 'x-forwarded-for': forwarded },
      remoteAddress: '192.0.2.9',
    });
  await ask('203.0.113.7:51234');
  await ask('[2001:db8::1]:443');
  expect(entries().map(({ address }) => address)).toEqual(['203.0.113.7', '2001:db8::1']);
});

it('never holds a password, a token, a cookie or a key', async () => {
  const user = await server.createUser();
  const organization = await server.createOrganization(user);
  const headers = { 'pult-enrollment-key': 'enrolment-key-nobody-logs' };
  const device = createTestDevice('LOGS-1');
  const token = tokenOf(await enrolTestDevice(server, device, { headers }));
  await enrolTestDevice(server, device, { headers: { 'pult-enrollment-key': 'wrong-key-nobody-logs' } });
  const { email: username } = user;
  await server.call('login', { body: { username, password: 'a-wrong-password' } });
  await server.call('login', { body: { username, password: 'x', surprise: 'a-surprising-secret' } });
  await server.request('POST', '/api/v1/auth/token/', {
    headers: { 'content-type': 'application/json' },
    payload: '{"password":"an-unfinished-secret',
  });
  await server.call('validateActivation', { as: user, body: { token } });
  await server.request('GET', `/controllers?token=${token}`);
  await server.call('activateController', { as: user, body: { token, organization } });
  await server.call('logout', { headers: { cookie: user.cookie, origin: server.publicUrl } });

  const text = lines.join('');
  expect(entries().length).toBeGreaterThan(8);
  const [, session = 'missing'] = user.cookie.split('=');
  for (const secret of [
    user.password,
    user.access,
    session,
    token,
    'a-wrong-password',
    'a-surprising-secret',
    'an-unfinished-secret',
    'nobody-logs',
    device.keyId,
  ]) {
    expect(text).not.toContain(secret);
  }
  const audit = JSON.stringify(await server.db.selectFrom('audit_events').selectAll().execute());
  for (const secret of [user.password, session, token, 'a-wrong-password'])
    expect(audit).not.toContain(secret);
});

it('keeps what went wrong inside, and tells the caller only where to look', async () => {
  const user = await server.createUser();
  await sql`alter table organizations rename to organizations_gone`.execute(server.db);
  try {
    lines = [];
    const answer = await server.call('createOrganization', { as: user, body: { name: 'Secret plan' } });
    const failure = entries().find(({ level }) => level === 50);
    expect(failure).toMatchObject({
      msg: 'request failed',
      err: { message: expect.stringContaining('organizations') },
    });
    expect(answer).toMatchObject({
      status: 500,
      body: { code: 'internal_error', detail: `Server error. Request id: ${failure?.reqId}.` },
    });
    expect(lines.join('')).not.toContain('Secret plan');
  } finally {
    await sql`alter table organizations_gone rename to organizations`.execute(server.db);
  }
});

it('tells in short that the database is away, and the caller to come again', async () => {
  const user = await server.createUser();
  const kill = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(server.db);
  await Promise.all([kill(), kill()]).catch(() => undefined);
  // The pool gets over it by itself.
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => server.call('getCurrentUser', { as: user })),
  );
  for (const answer of answers) {
    expect([200, 503]).toContain(answer.status);
    if (answer.status === 503) expect(answer.body).toMatchObject({ code: 'service_unavailable' });
  }
  expect((await server.call('getCurrentUser', { as: user })).status).toBe(200);
});
