import type { TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { enableTotp } from '../features/accounts/totp-user.fixture.ts';
import { type CommandFixture, createCommandFixture } from './command.fixture.ts';
import { commands, UsageError } from './commands.ts';

let fixture: CommandFixture;
let server: TestServer;

beforeAll(async () => {
  fixture = await createCommandFixture();
  ({ server } = fixture);
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.begin();
});

const run = (...args: string[]) => commands['user reset-totp']?.run(args);

describe('pult user reset-totp', () => {
  it('lets one who has lost the phone in with the password alone, and ends their sessions', async () => {
    const stranger = await enableTotp(server, await server.createUser());
    const user = await enableTotp(server, await server.createUser('lost@example.com'));
    await run(' Lost@Example.com');
    expect(fixture.printed()).toBe(
      'The second factor of lost@example.com is off. The password alone is enough now.\n',
    );
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
    expect(fixture.printed()).toBe('');
  });
});
