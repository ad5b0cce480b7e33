import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readCookies } from './totp-user.fixture.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer({ environment: { SERVICE_NAME: 'Pumps' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  user = await server.createUser(); // logged in once, from 127.0.0.1
});

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

interface From {
  address?: string;
  agent?: string;
  cookie?: string;
  language?: string;
  password?: string;
}

function logIn(from: From = {}): Promise<TestAnswer> {
  const { address = '203.0.113.9', agent = firefox, cookie, language = 'en', password } = from;
  return server.request('POST', '/api/v1/auth/token/', {
    headers: {
      'content-type': 'application/json',
      'accept-language': language,
      'user-agent': agent,
      ...(cookie === undefined ? {} : { cookie }),
    },
    payload: JSON.stringify({ username: user.email, password: password ?? user.password }),
    remoteAddress: address,
  });
}

const readMails = async () => (await server.readMails()).filter(({ to }) => to === user.email);

describe('the mail about a login from a new device', () => {
  it('says when, from where and by what, and links to the security page only', async () => {
    expect(await readMails()).toEqual([]); // the very first login is no news
    await logIn();
    const [mail, ...others] = await readMails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({
      kind: 'new-device',
      subject: 'Login from a new device – Pumps',
      action: { url: 'http://localhost:8080/security' },
    });
    const body = mail?.paragraphs.join('\n') ?? '';
    expect(body).toContain(user.email);
    const time = server.clock.now().toISOString();
    expect(body).toContain(`Time: ${time.slice(0, 10)} ${time.slice(11, 16)} UTC`);
    expect(body).toContain('Address: 203.0.113.9');
    expect(body).toContain('Device: Firefox, Linux');
    expect(body).not.toMatch(/:\/\//);
  });

  it('the mail about a login from a new device is not sent for the same browser in the same network', async () => {
    await logIn({ address: '2001:db8::1' });
    await logIn({ address: '2001:db8::ffff' });
    expect(await readMails()).toHaveLength(1);
    await logIn({ address: '2001:db8:0:1::1' });
    await logIn({ address: '2001:db8::1', agent: 'curl/8.9.1' });
    expect(await readMails()).toHaveLength(3);
  });

  it('the mail about a login from a new device is not sent for a browser that has logged in before, wherever it is', async () => {
    const cookie = `pult_browser=${readCookies(await logIn()).get('pult_browser')}`;
    await logIn({ cookie, address: '198.51.100.1' });
    expect(await readMails()).toHaveLength(1);
    await logIn({ cookie: `${cookie}x`, address: '198.51.100.2' });
    expect(await readMails()).toHaveLength(2);
  });

  it('the mail about a login from a new device is in the language of before: whoever comes may be somebody else', async () => {
    await logIn({ language: 'ru' });
    await logIn({ agent: 'curl/8.9.1', language: 'en' });
    const subjects = (await readMails()).map(({ subject }) => subject);
    expect(subjects).toEqual(['Login from a new device – Pumps', 'Вход с нового устройства — Pumps']);
  });

  it('the mail about a login from a new device is sent once for two logins at once', async () => {
    const answers = await Promise.all([logIn(), logIn(), logIn()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await readMails()).toHaveLength(1);
  });

  it('the mail about a login from a new device is sent for no login that failed', async () => {
    await logIn({ password: 'wrong' });
    expect(await readMails()).toEqual([]);
  });

  it('comes and goes with the session: without one there is none, and the device stays new', async () => {
    await sql`alter table sessions add constraint none_from_there check (address <> '203.0.113.77')`.execute(
      server.db,
    );
    try {
      expect((await logIn({ address: '203.0.113.77' })).status).toBe(500);
      expect(await readMails()).toEqual([]);
    } finally {
      await sql`alter table sessions drop constraint none_from_there`.execute(server.db);
    }
    expect((await logIn({ address: '203.0.113.77' })).status).toBe(200);
    expect(await readMails()).toHaveLength(1);
  });

  it('the mail about a login from a new device is sent again for a device that was not used for a year, if it was not the last one used', async () => {
    await logIn();
    server.clock.advance(1000);
    await logIn({ agent: 'curl/8.9.1' });
    server.clock.advance(366 * 24 * 3600 * 1000);
    await server.server.jobs.find((job) => job.name === 'delete-expired-sessions')?.run();
    await logIn({ agent: 'curl/8.9.1' }); // the last one used stays known
    expect(await readMails()).toHaveLength(2);
    await logIn();
    expect(await readMails()).toHaveLength(3);
  });
});
