import { verify } from '@node-rs/argon2';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';

// The costly part of a login is counted instead of timed: a machine that runs other tests has no steady time.
vi.mock('@node-rs/argon2', { spy: true });

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('login_throttle').execute();
  vi.mocked(verify).mockClear();
});

const guess = (username: string, password = 'wrong') =>
  server.call('login', { body: { username, password } });

/** Time and memory that a hash asks for. */
const costs = () => vi.mocked(verify).mock.calls.map(([hash]) => /m=\d+,t=\d+,p=\d+/.exec(String(hash))?.[0]);

describe('what a login costs', () => {
  it('is the same for a right password, a wrong one and an account that does not exist', async () => {
    await guess(user.email, user.password);
    await guess(user.email);
    await guess('nobody@example.com');
    expect(costs()).toEqual(Array(3).fill('m=19456,t=2,p=1'));
  });

  it('is spent on exactly five of 200 parallel guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => guess(user.email)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(195);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  it('is not spent on what is locked, nor on what comes from another page', async () => {
    await Promise.all(Array.from({ length: 5 }, () => guess(user.email)));
    vi.mocked(verify).mockClear();
    expect((await guess(user.email, user.password)).status).toBe(429);
    const headers = { origin: 'https://evil.example' };
    const body = { username: 'other@example.com', password: 'x' };
    expect((await server.call('login', { body, headers })).status).toBe(400);
    expect(verify).not.toHaveBeenCalled();
  });
});
