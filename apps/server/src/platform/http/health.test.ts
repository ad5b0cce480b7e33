import fastify from 'fastify';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import type { Http } from '../feature.ts';
import { createHealth } from './health.ts';

async function create() {
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (each) => new PostgresIntrospector(each),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const health = createHealth({ db: db as never }, () => false);
  const app = fastify();
  // Its routes look at nothing else.
  await health.routes?.({ app } as unknown as Http);
  await health.listen?.();
  return { health, isReady: async () => (await app.inject('/readyz')).statusCode === 200 };
}

test('a node that leaves says at once that it is not ready, and stays until a balancer has noticed', async () => {
  const { health, isReady } = await create();
  expect(await isReady()).toBe(true);
  const begun = performance.now();
  const left = health.leave();
  expect(await isReady()).toBe(false);
  await left;
  expect(performance.now() - begun).toBeGreaterThan(4_900);
});

test('a node that no balancer looks at leaves at once', async () => {
  const { health, isReady } = await create();
  const begun = performance.now();
  await health.leave();
  expect(performance.now() - begun).toBeLessThan(1_000);
  expect(await isReady()).toBe(false);
});
