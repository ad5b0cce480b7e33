import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { enableTotp } from '../features/accounts/totp-user.fixture.ts';
import { commands, UsageError } from './commands.ts';

let server: TestServer;
let dataDir: string;
let printed: string;

beforeAll(async () => {
  server = await createTestServer();
  dataDir = await mkdtemp(join(tmpdir(), 'pult-reset-totp-'));
});
afterAll(async () => {
  await server.close();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  const { host, port, user, password } = inject('databaseServer');
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
  const url = new URL('postgresql://localhost');
  url.username = user;
  url.password = password;
  url.pathname = rows[0]?.name ?? '';
  url.search = new URLSearchParams({ host, port: String(port) }).toString();
  vi.stubEnv('DATABASE_URL', url.href);
  vi.stubEnv('DATA_DIR', dataDir);
  printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += text;
    return true;
  });
});

const run = (...args: string[]) => commands['user reset-totp']?.run(args);

describe('pult user reset-totp', () => {
  it('lets one who has lost the phone in with the password alone, and ends their sessions', async () => {
    const stranger = await enableTotp(server, await server.createUser());
    const user = await enableTotp(server, await server.createUser('lost@example.com'));
    await run(' Lost@Example.com');
    expect(printed).toBe('The second factor of lost@example.com is off. The password alone is enough now.\n');
    const byCookie = await server.call('getCurrentUser', { headers: { cookie: user.cookie } });
    const byBearer = await server.call('getCurrentUser', { as: user });
    expect([byCookie.status, byBearer.status]).toEqual([401, 401]);
    const logIn = (body: object) =>
      server.call('login', { body: { username: user.email, password: user.password, ...body } });
    const login = await logIn({});
    expect(login.status).toBe(200);
    const { access } = login.body as { access: string };
    const me = await server.call('getCurrentUser', { as: { ...user, access } });
    expect(me.body).toMatchObject({ totpEnabled: false, hasRecoveryCodes: false });
    const events = await server.db
      .selectFrom('audit_events')
      .select(['user_id', 'subject', 'address', 'details'])
      .where('action', '=', 'totp.reset')
      .execute();
    const details = { endedSessions: 1 };
    expect(events).toEqual([{ user_id: user.id, subject: user.email, address: 'localhost', details }]);
    const others = await server.call('getCurrentUser', { as: stranger });
    expect(others.body).toMatchObject({ totpEnabled: true, hasRecoveryCodes: true });
  });

  it('says when there is nothing to reset', async () => {
    const { email } = await server.createUser();
    await expect(run(email)).rejects.toThrow(`${email} has no second factor.`);
    await expect(run('nobody@example.com')).rejects.toThrow('nobody@example.com has no account.');
    expect(() => run()).toThrow(UsageError);
    expect(printed).toBe('');
  });
});
