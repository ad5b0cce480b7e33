import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRateLimiter, type RateLimiter, type RequiredLimit } from './rate-limit.ts';

let server: TestServer;
let limiter: RateLimiter;
let keys = 0;

beforeAll(async () => {
  server = await createTestServer();
  limiter = createRateLimiter(server.db, server.clock);
});
afterAll(() => server.close());

function limitOf(limit: number, window = 60): RequiredLimit {
  keys += 1;
  return { key: ['sign-up', String(keys)], limit, window };
}

it('lets exactly the limit through, however many come at once', async () => {
  const limit = limitOf(7);
  const taken = await Promise.all(Array.from({ length: 40 }, () => limiter.take(limit)));
  expect(taken.filter(Boolean)).toHaveLength(7);
});

it('counts anew when the window is over, from the first act and not from the last', async () => {
  const limit = limitOf(2);
  await limiter.take(limit);
  server.clock.advance(59_000);
  expect([await limiter.take(limit), await limiter.take(limit)]).toEqual([true, false]);
  server.clock.advance(1_000);
  expect([await limiter.take(limit), await limiter.take(limit), await limiter.take(limit)]).toEqual([
    true,
    true,
    false,
  ]);
});

it('says how long to wait, and counts one key apart from another', async () => {
  const [narrow, other] = [limitOf(1), limitOf(1)];
  await limiter.require([narrow, other]);
  server.clock.advance(18_500);
  await expect(limiter.require([narrow])).rejects.toMatchObject({
    code: 'too_many_attempts',
    reason: 'sign-up',
    values: { seconds: 42 },
  });
  await limiter.require([limitOf(1)]);
});

it('forgets the windows that are over, and no other', async () => {
  const [short, long] = [limitOf(1), limitOf(1, 300)];
  await limiter.require([short, long]);
  server.clock.advance(60_000);
  await server.server.jobs.find(({ name }) => name === 'forget-rate-limits')?.run();
  expect(await server.db.selectFrom('rate_limits').select('acts').execute()).toEqual([{ acts: 1 }]);
  expect([await limiter.take(short), await limiter.take(long)]).toEqual([true, false]);
});
