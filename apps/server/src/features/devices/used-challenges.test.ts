import { randomBytes } from 'node:crypto';
import { createTestServer, TestClock, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createChallenges } from './challenges.ts';
import { createUsedChallengesRepository } from './used-challenges.repository.ts';

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());

it('a challenge of one node is answered at another one, once of all', async () => {
  const key = randomBytes(32);
  const clock = new TestClock();
  const nodes = Array.from({ length: 3 }, () => {
    const challenges = createChallenges(clock, key);
    const used = createUsedChallengesRepository(server.db);
    return { challenges, used };
  });
  const nonce = nodes[0]?.challenges.create('A1') ?? '';
  const answers = await Promise.all(
    nodes.map(
      async ({ challenges, used }) => challenges.consume('A1', nonce) && (await used.take([nonce]))[0],
    ),
  );
  expect(answers.filter(Boolean)).toHaveLength(1);
  expect(answers).toHaveLength(3);
});

it('each of many challenges is answered for itself, and forgotten when it is over', async () => {
  const used = createUsedChallengesRepository(server.db);
  const [first, second, third] = Array.from({ length: 3 }, () => randomBytes(34).toString('base64url'));
  expect(await used.take([first ?? '', second ?? ''])).toEqual([true, true]);
  expect(await used.take([second ?? '', third ?? '', first ?? ''])).toEqual([false, true, false]);
  await used.forgetOld();
  expect(await used.take([third ?? ''])).toEqual([false]);
  await server.db
    .updateTable('used_challenges')
    .set({ expires_at: sql<Date>`now() - interval '1 second'` })
    .execute();
  await used.forgetOld();
  expect(await used.take([third ?? ''])).toEqual([true]);
});
