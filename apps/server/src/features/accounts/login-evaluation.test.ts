import { verify } from '@node-rs/argon2';
import { poll } from '@pult/testkit';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordStatements } from '../../platform/db/record-statements.fixture.ts';

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

async function guess(username: string, password = 'wrong', remoteAddress = '192.0.2.1'): Promise<number> {
  const answer = await server.request('POST', '/api/v1/auth/token/', {
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify({ username, password }),
    remoteAddress,
  });
  return answer.status;
}

/** Time and memory that a hash asks for. */
const costs = () => vi.mocked(verify).mock.calls.map(([hash]) => /m=\d+,t=\d+,p=\d+/.exec(String(hash))?.[0]);

describe('what a login costs', () => {
  it('is the same for a right password, a wrong one and an account that does not exist', async () => {
    await guess(user.email, user.password);
    await guess(user.email);
    await guess('nobody@example.com');
    expect(costs()).toEqual(Array(3).fill('m=19456,t=2,p=1'));
  });

  it('is nine statements, each of which other calls may have to wait for', async () => {
    const login = () => guess(user.email, user.password);
    expect(await login()).toBe(200);
    expect(await recordStatements(login)).toHaveLength(9);
  });

  it('is spent on exactly five of 200 parallel guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => guess(user.email)));
    expect(answers.filter((status) => status === 429)).toHaveLength(195);
    expect(verify).toHaveBeenCalledTimes(5);
  });

  it('is not spent on what is locked, nor on what comes from another page', async () => {
    await Promise.all(Array.from({ length: 5 }, () => guess(user.email)));
    vi.mocked(verify).mockClear();
    expect(await guess(user.email, user.password)).toBe(429);
    const headers = { origin: 'https://evil.example' };
    const body = { username: 'other@example.com', password: 'x' };
    expect((await server.call('login', { body, headers })).status).toBe(400);
    expect(verify).not.toHaveBeenCalled();
  });
});

describe('more logins than can be evaluated', () => {
  it('are refused past a queue and counted nowhere, and the others are answered', async () => {
    let release = () => {};
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    vi.mocked(verify).mockImplementation(async () => {
      await isReleased;
      return false;
    });
    const total = 110;
    const statuses = new Map<string, number>();
    const guesses = Array.from({ length: total }, async (_, index) => {
      const username = `user-${index}@example.com`;
      statuses.set(username, await guess(username, 'wrong', `198.51.100.${index}`));
    });
    const isFull = () => statuses.size === total - 100 - vi.mocked(verify).mock.calls.length;
    await poll(isFull, { what: 'the queue is full' });
    expect(new Set(statuses.values())).toEqual(new Set([503]));
    const [[refused]] = [...statuses] as [[string, number]]; // there is one, as the line above says
    release();
    await Promise.all(guesses);
    expect([...statuses.values()].filter((status) => status === 401)).toHaveLength(
      vi.mocked(verify).mock.calls.length,
    );
    const address = `198.51.100.${/\d+/.exec(refused)?.[0]}`;
    const again: number[] = [];
    for (let round = 0; round < 6; round += 1) again.push(await guess(refused, 'wrong', address));
    expect(again).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
