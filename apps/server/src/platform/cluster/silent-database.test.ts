import { randomBytes } from 'node:crypto';
import { FaultProxy, ResourceStack, startPostgresPair } from '@pult/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../db/connect.ts';
import { migrateDatabase } from '../db/migrate.ts';
import { isDatabaseOutage } from '../db/outage.ts';
import { createLog } from '../log.ts';
import { createNode } from './index.ts';

const log = createLog('silent');
const stack = new ResourceStack();
let url: string;
let line: FaultProxy;
beforeAll(async () => {
  const pair = stack.use(await startPostgresPair());
  const direct = connectDatabase({ url: pair.primaryUrl }, log, 2);
  await migrateDatabase(direct, log);
  await direct.close();
  const { hostname: host, port } = new URL(pair.primaryUrl);
  line = stack.use(await FaultProxy.start({ target: { host, port: Number(port) } }));
  url = pair.primaryUrl.replace(`:${port}`, `:${line.port}`);
}, 60_000);
afterAll(() => stack[Symbol.asyncDispose]());

const sleep = (database: DatabaseConnection, seconds: number) =>
  sql`select pg_sleep(${seconds})`.execute(database.db);

function connect(answerMs: number): DatabaseConnection {
  const database = connectDatabase({ url }, log, 4, undefined, answerMs);
  onTestFinished(() => database.close());
  return database;
}

it('a database that is silent is given up after a while, with all connections of that time', async () => {
  const database = connect(2_000);
  await Promise.all([sleep(database, 0.1), sleep(database, 0.1), sleep(database, 0.1)]);
  line.silenceOpen('there', 'back');
  const refusal = await sql`select 1`.execute(database.db).catch((error: Error) => error);
  expect(isDatabaseOutage(refusal as Error)).toBe(true);
  const startedAt = performance.now();
  await Promise.all([sleep(database, 0), sleep(database, 0), sleep(database, 0)]);
  expect(performance.now() - startedAt).toBeLessThan(1_500);
});

it('a database that was told that a statement may take long is waited for, and no longer than that', async () => {
  const database = connect(300);
  await database.db.transaction().execute(async (transaction) => {
    await sql`set local statement_timeout = 0`.execute(transaction);
    await sql`select pg_sleep(0.6)`.execute(transaction);
  });
  await expect(sleep(database, 0.6)).rejects.toThrow(/terminated/);
  await database.db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection);
    await sql`select pg_sleep(0.6)`.execute(connection);
    await sql`reset statement_timeout`.execute(connection);
    await expect(sql`select pg_sleep(0.6)`.execute(connection)).rejects.toThrow(/terminated/);
  });
});

it('a node whose connections hang comes back by new ones, under another id', async () => {
  const database = connect(2_500);
  const node = createNode({
    settings: {
      natsUrls: ['nats://127.0.0.1:4222'],
      isNatsInsecure: false,
      address: { host: '10.0.0.5', port: 7200 },
      port: 7200,
    },
    installationKey: randomBytes(32),
    version: '1.2.3',
    db: database.db,
    log,
    countLinks: () => 0,
    clean: async () => {},
    timing: { renewMs: 100, fenceMs: 1_000 },
  });
  onTestFinished(() => node.leave());
  await node.join();
  node.start();
  const { id } = node;
  // As many as its tries take.
  await Promise.all([sleep(database, 0.3), sleep(database, 0.3), sleep(database, 0.3), sleep(database, 0.3)]);
  line.silenceOpen('there', 'back');
  await expect.poll(() => node.id !== id && !node.hasLease, { timeout: 5_000 }).toBe(true);
  await expect.poll(() => node.hasLease, { timeout: 10_000 }).toBe(true);
});
