import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLoginThrottle } from './login-throttle.ts';

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('login_throttle').execute();
  await server.db.deleteFrom('audit_events').execute();
  user = await server.createUser();
});

interface Guess {
  username?: string;
  password?: string;
  address?: string;
  cookie?: string;
}

function guess({ username = user.email, password = 'wrong', address = '192.0.2.1', cookie }: Guess = {}) {
  return server.request('POST', '/api/v1/auth/token/', {
    headers: { 'content-type': 'application/json', ...(cookie === undefined ? {} : { cookie }) },
    payload: JSON.stringify({ username, password }),
    remoteAddress: address,
  });
}

const right = () => ({ password: user.password });

/** Status of each of so many guesses, one after the other. */
async function guessTimes(count: number, options: (index: number) => Guess = () => ({})): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < count; index += 1) statuses.push((await guess(options(index))).status);
  return statuses;
}

async function countEvaluated(): Promise<number> {
  const rows = await server.db
    .selectFrom('audit_events')
    .select('id')
    .where('action', '=', 'login.refused')
    .execute();
  return rows.length;
}

function browserCookie(answer: TestAnswer): string {
  const lines = [answer.headers['set-cookie'] ?? []].flat().map(String);
  return lines.find((line) => line.startsWith('pult_browser='))?.split(';')[0] ?? '';
}

/** Sets counters as many attempts of others would have left them; the shared limits are far away. */
async function attemptFromElsewhere(count: number, attempt: (index: number) => Guess): Promise<void> {
  await server.db.deleteFrom('login_throttle').execute();
  await guess(attempt(0));
  const rows = await server.db.selectFrom('login_throttle').select('key').execute();
  await guess(attempt(1));
  await server.db
    .updateTable('login_throttle')
    .set({ attempts: count })
    .where(
      'key',
      'in',
      rows.map((row) => row.key),
    )
    .where('attempts', '=', 2)
    .execute();
}

describe('login throttle', () => {
  it('evaluates exactly five of 200 parallel guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => guess()));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195);
    expect(await countEvaluated()).toBe(5);
  });

  it('evaluates as many of 200 parallel guesses at an account that does not exist', async () => {
    const nobody = { username: 'nobody@example.com' };
    const answers = await Promise.all(Array.from({ length: 200 }, () => guess(nobody)));
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(await countEvaluated()).toBe(5);
  });

  it('says how long to wait, in a header and in both languages', async () => {
    await guessTimes(5);
    const answer = await guess();
    expect(answer.status).toBe(429);
    expect(answer.headers['retry-after']).toBe('30');
    expect(answer.body).toEqual({
      detail: 'Слишком много попыток. Повторите через 30 с.',
      code: 'too_many_attempts',
    });
    server.clock.advance(10_500);
    expect((await guess()).headers['retry-after']).toBe('20');
  });

  it('locks for 30 s, then twice as long each time, up to 15 minutes', async () => {
    await guessTimes(4);
    for (const seconds of [30, 60, 120, 240, 480, 900, 900, 900]) {
      expect((await guess()).status).toBe(401);
      const locked = await guess(right());
      expect([locked.status, locked.headers['retry-after']]).toEqual([429, String(seconds)]);
      server.clock.advance(seconds * 1000 - 1);
      expect((await guess(right())).status).toBe(429);
      server.clock.advance(1);
    }
    expect(await countEvaluated()).toBe(12);
  });

  it('refuses none of many right logins at once, after four wrong guesses too', async () => {
    await guessTimes(4);
    const answers = await Promise.all(Array.from({ length: 20 }, () => guess(right())));
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await guessTimes(5)).toEqual([401, 401, 401, 401, 401]);
  });

  it('starts anew after the right password', async () => {
    await guessTimes(5);
    server.clock.advance(30_000);
    expect((await guess(right())).status).toBe(200);
    expect(await guessTimes(5)).toEqual([401, 401, 401, 401, 401]);
    expect((await guess()).headers['retry-after']).toBe('30');
  });

  it('lets the right password in as the fifth guess', async () => {
    await guessTimes(4);
    expect((await guess(right())).status).toBe(200);
    expect((await guess(right())).status).toBe(200);
  });

  it('forgets the guesses of a day, and its rows with them', async () => {
    await guessTimes(4);
    server.clock.advance(24 * 3600 * 1000);
    expect(await guessTimes(4)).toEqual([401, 401, 401, 401]);
    server.clock.advance(24 * 3600 * 1000);
    await server.server.jobs.find((job) => job.name === 'delete-expired-sessions')?.run();
    expect(await server.db.selectFrom('login_throttle').selectAll().execute()).toEqual([]);
  });

  it('locks an account that does not exist in the same way', async () => {
    const nobody = () => ({ username: 'nobody@example.com' });
    expect(await guessTimes(6, nobody)).toEqual([401, 401, 401, 401, 401, 429]);
  });

  it('locks one account from one address only', async () => {
    await guessTimes(5);
    expect((await guess({ ...right(), address: '192.0.2.2' })).status).toBe(200);
    const other = await server.createUser();
    expect((await guess({ username: other.email, password: other.password })).status).toBe(200);
  });

  it('takes the addresses of one IPv6 network for one', async () => {
    const statuses = await guessTimes(6, (index) => ({ address: `2001:db8::${index + 1}` }));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await guess({ ...right(), address: '2001:db8:0:1::1' })).status).toBe(200);
  });

  it('locks an address after 100 wrong guesses at whatever accounts, and no other', async () => {
    const anyone = (index: number) => ({ username: `user-${index}@example.com`, address: '192.0.2.9' });
    await attemptFromElsewhere(98, anyone);
    expect(await guessTimes(3, (index) => anyone(index + 10))).toEqual([401, 401, 429]);
    expect((await guess({ ...right(), address: '192.0.2.9' })).status).toBe(429);
    expect((await guess(right())).status).toBe(200);
  });

  it('counts nothing of a locked address, so that it cannot fill the table', async () => {
    const anyone = (index: number) => ({ username: `user-${index}@example.com` });
    await attemptFromElsewhere(99, anyone);
    await guess(anyone(10));
    const count = async () => (await server.db.selectFrom('login_throttle').select('key').execute()).length;
    const before = await count();
    expect(await guessTimes(5, (index) => anyone(index + 20))).toEqual([429, 429, 429, 429, 429]);
    expect(await count()).toBe(before);
  });

  it('locks an account after 200 wrong guesses from whatever addresses, for strangers only', async () => {
    const cookie = browserCookie(await guess(right()));
    await attemptFromElsewhere(199, (index) => ({ address: `198.51.100.${index}` }));
    expect(await guessTimes(2, (index) => ({ address: `198.51.100.${index + 10}` }))).toEqual([401, 429]);
    expect((await guess({ ...right(), address: '203.0.113.1' })).status).toBe(429);
    expect((await guess({ ...right(), address: '203.0.113.1', cookie })).status).toBe(200);
  });

  it('lets no right login behind a proxy bring about the lock of all the others', async () => {
    const anyone = (index: number) => ({ username: `user-${index}@example.com` });
    await attemptFromElsewhere(99, anyone);
    expect(await guessTimes(2, (index) => anyone(index + 10))).toEqual([401, 429]);
    server.clock.advance(30_000);
    for (let round = 0; round < 3; round += 1) expect((await guess(right())).status).toBe(200);
    expect(await guessTimes(2, (index) => anyone(index + 20))).toEqual([401, 429]);
  });

  it('counts a login that the database fails, although its transaction is rolled back', async () => {
    await sql`alter table sessions add constraint no_new check (created_at < ${sql.lit(
      server.clock.now().toISOString(),
    )}::timestamptz) not valid`.execute(server.db);
    try {
      const statuses = await guessTimes(6, right);
      expect(statuses).toEqual([500, 500, 500, 500, 500, 429]);
    } finally {
      await sql`alter table sessions drop constraint no_new`.execute(server.db);
    }
  });

  it('writes on a connection of its own: a caller’s transaction that is rolled back takes nothing back', async () => {
    const throttle = createLoginThrottle(server.db, server.clock);
    const attempt = { email: user.email, address: '192.0.2.1', browserId: undefined };
    const work = server.db.transaction().execute(async (transaction) => {
      await transaction.updateTable('users').set({ locale: 'ru' }).where('id', '=', user.id).execute();
      for (let round = 0; round < 5; round += 1) await throttle.countLogin(attempt);
      throw new Error('rolled back');
    });
    await expect(work).rejects.toThrow('rolled back');
    expect((await guess(right())).status).toBe(429);
  });

  it('tells clients behind a trusted proxy apart, and believes nobody else what they say of themselves', async () => {
    await using behind = await createTestServer({ environment: { TRUSTED_PROXIES: '10.0.0.1' } });
    const { email, password } = await behind.createUser();
    const guessFrom = async (peer: string, forwarded: string, given = 'wrong') => {
      const answer = await behind.request('POST', '/api/v1/auth/token/', {
        headers: { 'content-type': 'application/json', 'x-forwarded-for': forwarded },
        payload: JSON.stringify({ username: email, password: given }),
        remoteAddress: peer,
      });
      return answer.status;
    };
    for (let round = 0; round < 5; round += 1) {
      expect(await guessFrom('10.0.0.1', '203.0.113.1')).toBe(401);
      expect(await guessFrom('198.51.100.9', `203.0.113.${100 + round}`)).toBe(401);
    }
    expect(await guessFrom('10.0.0.1', '203.0.113.1', password)).toBe(429);
    expect(await guessFrom('198.51.100.9', '203.0.113.200', password)).toBe(429);
    expect(await guessFrom('10.0.0.1', '203.0.113.2', password)).toBe(200);
  });

  it('counts parallel guesses at many accounts exactly, and none waits for another in a circle', async () => {
    const users = Array.from({ length: 5 }, (_, index) => `user-${index}@example.com`);
    const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4'];
    const guesses = users.flatMap((username) =>
      addresses.flatMap((address) => Array(8).fill({ username, address })),
    );
    const answers = await Promise.all(guesses.map(guess));
    const of = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([of(401), of(429)]).toEqual([100, 60]);
    expect(await countEvaluated()).toBe(100);
    const { rows } = await sql<{ attempts: number }>`
      select attempts from login_throttle where attempts > 0 order by attempts`.execute(server.db);
    const [own, ofAccounts, ofAddresses] = [Array(20).fill(5), Array(5).fill(20), Array(4).fill(25)];
    expect(rows.map(({ attempts }) => attempts)).toEqual([...own, ...ofAccounts, ...ofAddresses]);
  });

  it('lets refused guesses of one stranger not add up to the lock of the account', async () => {
    await guessTimes(5);
    await Promise.all(Array.from({ length: 300 }, () => guess()));
    expect((await guess({ ...right(), address: '203.0.113.1' })).status).toBe(200);
  });

  it('locks a known browser by its own guesses only', async () => {
    const cookie = browserCookie(await guess(right()));
    await guessTimes(6);
    expect((await guess({ cookie })).status).toBe(401);
    expect((await guess({ ...right(), cookie })).status).toBe(200);
    expect(await guessTimes(6, () => ({ cookie }))).toEqual([401, 401, 401, 401, 401, 429]);
    const another = browserCookie(await guess({ ...right(), address: '192.0.2.2' }));
    expect((await guess({ ...right(), cookie: another })).status).toBe(200);
  });

  it('keeps the id of a known browser and makes a new one for a new browser', async () => {
    const cookie = browserCookie(await guess(right()));
    expect(browserCookie(await guess({ ...right(), cookie }))).toBe(cookie);
    expect(browserCookie(await guess(right()))).not.toBe(cookie);
  });

  it('takes a forged browser cookie, or one of another account, for a stranger', async () => {
    const other = await server.createUser();
    const ofOther = browserCookie(await guess({ username: other.email, password: other.password }));
    const own = browserCookie(await guess(right()));
    await guessTimes(5);
    for (const cookie of [
      ofOther,
      `${own}x`,
      own.replace(/=[^.]*/, '=forged'),
      'pult_browser=known',
      'pult_browser=',
    ]) {
      expect([cookie, (await guess({ ...right(), cookie })).status]).toEqual([cookie, 429]);
    }
  });
});
