import { type PostgresPair, startPostgresPair } from '@pult/testkit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../log.ts';
import { connectDatabase, type DatabaseConnection } from './connect.ts';
import { isDatabaseOutage } from './outage.ts';

let pair: PostgresPair;
let database: DatabaseConnection;
beforeAll(async () => {
  pair = await startPostgresPair();
  database = connectDatabase({ url: pair.url }, createLog('silent'), 5);
  await sql`create table notes (id int primary key)`.execute(database.db);
});
afterAll(async () => {
  await database?.close();
  await pair?.[Symbol.asyncDispose]();
});

let last = 0;
const write = () => {
  last += 1;
  return sql`insert into notes (id) values (${last})`.execute(database.db);
};
/** Holds all connections of the pool at the same time. */
const useAll = () =>
  Promise.all(Array.from({ length: 5 }, () => sql`select pg_sleep(0.2)`.execute(database.db)));

describe('failover of the database', () => {
  it('connections to a server that has become read-only are thrown away at the first refusal', async () => {
    await expect
      .poll(async () => {
        pair.leadTo('standby');
        return sql`select count(*) from notes`.execute(database.db).catch(() => undefined);
      })
      .toBeDefined();
    await useAll();
    // The address leads to the primary again; the connections to the standby are still there.
    pair.leadTo('primary', { cut: false });
    const refusal = await write().catch((error: Error) => error);
    expect(refusal).toMatchObject({ code: '25006' });
    expect(isDatabaseOutage(refusal as Error)).toBe(true);
    await Promise.all(Array.from({ length: 20 }, write));
  });

  it('all is back within 10 s of the answer of the new primary, and every refusal before is an outage', async () => {
    await useAll();
    const refusals: Error[] = [];
    let isOver = false;
    const writing = Promise.all(
      Array.from({ length: 5 }, async () => {
        while (!isOver) {
          await write().catch(async (error: Error) => {
            refusals.push(error);
            await new Promise((resolve) => setTimeout(resolve, 50));
          });
        }
      }),
    );
    await pair.killPrimary();
    await expect.poll(() => refusals.length).toBeGreaterThan(5);
    await pair.promoteStandby();
    pair.leadTo('standby');
    const promotedAt = performance.now();
    let backAfterMs = Number.POSITIVE_INFINITY;
    await expect
      .poll(async () => {
        await write();
        backAfterMs = performance.now() - promotedAt;
        return true;
      })
      .toBe(true);
    isOver = true;
    await writing;
    expect(backAfterMs).toBeLessThan(10_000);
    expect(refusals.filter((error) => !isDatabaseOutage(error))).toEqual([]);
  });
});
