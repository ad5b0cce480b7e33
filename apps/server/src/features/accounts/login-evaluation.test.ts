import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { recordStatements } from '../../platform/db/record-statements.fixture.ts';

// The costly part of a login is counted instead of timed: a machine that runs other tests has no steady time.
const spyOnRun = () => vi.spyOn(Piscina.prototype, 'run');
let run: ReturnType<typeof spyOnRun>;
/** The hashes that were compared with a password. */
const evaluated = () =>
  run.mock.calls.flatMap(([task, options]) =>
    options?.name === 'verify' ? [(task as { hash: string }).hash] : [],
  );

let server: TestServer;
let user: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  user = await server.createUser();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('login_throttle').execute();
  run = spyOnRun();
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
const costs = () => evaluated().map((hash) => /m=\d+,t=\d+,p=\d+/.exec(hash)?.[0]);

describe('what a login costs', () => {
  it('what a login costs is the same for a right password, a wrong one and an account that does not exist', async () => {
    await guess(user.email, user.password);
    await guess(user.email);
    await guess('nobody@example.com');
    const [first] = costs();
    expect(first).toMatch(/^m=/);
    expect(costs()).toEqual([first, first, first]);
  });

  it('what a login costs is nine statements, each of which other calls may have to wait for', async () => {
    const login = () => guess(user.email, user.password);
    expect(await login()).toBe(200);
    expect(await recordStatements(login)).toHaveLength(9);
  });

  it('what a login costs is spent on exactly five of 200 parallel guesses', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => guess(user.email)));
    expect(answers.filter((status) => status === 429)).toHaveLength(195);
    expect(evaluated()).toHaveLength(5);
  });

  it('what a login costs is not spent on what is locked, nor on what comes from another page', async () => {
    await Promise.all(Array.from({ length: 5 }, () => guess(user.email)));
    run.mockClear();
    expect(await guess(user.email, user.password)).toBe(429);
    const headers = { origin: 'https://evil.example' };
    const body = { username: 'other@example.com', password: 'x' };
    expect((await server.call('login', { body, headers })).status).toBe(400);
    expect(evaluated()).toEqual([]);
  });
});

describe('more logins than can be evaluated', () => {
  it('more logins than can be evaluated are refused and counted nowhere', async () => {
    const guesses = async (count: number) => {
      const statuses: number[] = [];
      for (let number = 0; number < count; number += 1) statuses.push(await guess(user.email));
      return statuses;
    };
    const queue = vi.spyOn(Piscina.prototype, 'queueSize', 'get').mockReturnValue(100);
    expect(await guesses(7)).toEqual(Array(7).fill(503));
    expect(evaluated()).toEqual([]);
    queue.mockRestore();
    expect(await guesses(6)).toEqual([401, 401, 401, 401, 401, 429]);
  });
});
