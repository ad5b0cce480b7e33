import type { TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
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
  vi.stubEnv('SERVICE_NAME', 'Вышка');
  await server.db.deleteFrom('deliveries').execute();
  await server.db.deleteFrom('login_throttle').execute();
  await server.db.deleteFrom('rate_limits').execute();
});

const list = () => commands['mail list']?.run([]);
const show = (id: string) => commands['mail show']?.run([id]);
const askReset = (email: string) => server.call('requestPasswordReset', { body: { email } });
const getMail = () => server.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();

describe('pult mail list', () => {
  it('says so when there are none', async () => {
    await list();
    expect(fixture.printed()).toBe('There are no mails.\n');
  });

  it('shows the newest first, with what became of each, and nothing of what they say', async () => {
    const [anna, boris] = [await server.createUser(), await server.createUser()];
    await askReset(anna.email);
    const { id } = await getMail();
    await server.db
      .updateTable('deliveries')
      .set({ status: 'refused', attempts: 3, last_error: '550 no such user' })
      .execute();
    server.clock.advance(60_000);
    await askReset(boris.email);
    await list();
    const lines = fixture.printed().trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^[\da-f-]{36} {2}[\d-]{10} [\d:]{8} UTC {2}password-reset +waiting +0 {2}\S+$/);
    expect(lines[0]).toContain(boris.email);
    expect(lines[1]).toMatch(new RegExp(`^${id} .* refused +3 {2}${anna.email} {2}550 no such user$`));
    expect(fixture.printed()).not.toContain('/password-reset/');
  });

  it('lets nothing in a mail steer the terminal', async () => {
    await askReset((await server.createUser()).email);
    await server.db
      .updateTable('deliveries')
      .set({ recipient: 'a\u001b[2J@example.com', last_error: '550 \u009b31m\r\nno' })
      .execute();
    await list();
    expect(fixture.printed()).toMatch(/a\[2J@example\.com {2}550 31m no\n$/);
  });

  it('takes no words after it', () =>
    expect(commands['mail list']?.run(['all'])).rejects.toThrow(UsageError));
});

describe('pult mail show', () => {
  it('prints the mail with a link that works', async () => {
    const user = await server.createUser();
    await askReset(user.email);
    await show((await getMail()).id);
    expect(fixture.printed()).toContain(`To:       ${user.email}\n`);
    expect(fixture.printed()).toContain('Status:   waiting\n');
    expect(fixture.printed()).toContain('Subject:  Set a new password – Pult\n');
    expect(fixture.printed()).toContain('was given at Вышка');
    const [, uid, token] =
      /http:\/\/localhost:8080\/password-reset\/([^/]+)\/([^/]+)\//.exec(fixture.printed()) ?? [];
    const body = { uid, token, newPassword: 'set by the printed link' };
    expect((await server.call('confirmPasswordReset', { body })).status).toBe(200);
  });

  it('says when the text is gone', async () => {
    await askReset((await server.createUser()).email);
    await server.db.updateTable('deliveries').set({ content: null, last_error: 'its link ended' }).execute();
    await show((await getMail()).id);
    expect(fixture.printed()).toContain('Error:    its link ended\n');
    expect(fixture.printed()).toMatch(/\nIts text is gone: [^\n]+\.\n$/);
    expect(fixture.printed()).not.toContain('Subject:');
  });

  it.each(['018f0000-0000-7000-8000-000000000000', 'nonsense', "' or 1=1"])(
    'knows no mail %s',
    async (id) => {
      await expect(show(id)).rejects.toThrow(`There is no mail ${id}.`);
    },
  );
});

describe('pult user set-password', () => {
  it('kills the links that could set another, and ends the sessions', async () => {
    const user = await server.createUser();
    await askReset(user.email);
    const [mail] = await server.readMails();
    const [, uid, token] = /\/password-reset\/([^/]+)\/([^/]+)\//.exec(mail?.action?.url ?? '') ?? [];
    await commands['user set-password']?.run([user.email]);
    const [, password] = /^Password: (.+)$/m.exec(fixture.printed()) ?? [];
    const body = { uid, token, newPassword: 'set by a late link' };
    expect(await server.call('confirmPasswordReset', { body })).toMatchObject({
      body: { code: 'reset_token_invalid' },
    });
    expect(await server.readMails()).toEqual([]);
    expect((await server.call('getCurrentUser', { as: user })).status).toBe(401);
    expect((await server.call('login', { body: { username: user.email, password } })).status).toBe(200);
  });
});
