import { randomBytes } from 'node:crypto';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { createDeferred } from '@pult/testkit/in-test';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createEncryptor } from '../encryptor.ts';
import { createLog } from '../log.ts';
import { createDeliveries } from './deliveries.ts';
import { type ClaimedDelivery, DeliveryFailure } from './delivery.ts';

const claimSeconds = 60;
let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

const encryptor = createEncryptor(randomBytes(32));

/** A server whose tries end when the test says so. */
function startSender() {
  const core = { db: server.db, clock: server.clock, log: createLog('silent') };
  const deliveries = createDeliveries({ ...core, encryptor, diskGuard: { room: 'enough' } });
  const outcome = createDeferred<number | DeliveryFailure>();
  const send = vi.fn(async (_: ClaimedDelivery) => {
    const known = await outcome.promise;
    if (known instanceof DeliveryFailure) throw known;
    return known;
  });
  const job = deliveries.serve({ channel: 'test', maxAttempts: 5, claimSeconds, send });
  const run = (id: string) => job.run({ id }, new AbortController().signal);
  return { deliveries, run, send, end: outcome.resolve };
}

const read = () => server.db.selectFrom('deliveries').selectAll().executeTakeFirstOrThrow();

/** One delivery that a server has tried for longer than its claim, and another one tries since. */
async function tryTwice() {
  const [paused, other] = [startSender(), startSender()];
  await server.db
    .transaction()
    .execute((transaction) =>
      paused.deliveries.add(transaction, { channel: 'test', kind: 'test', content: 1 }),
    );
  const { id } = await read();
  const first = paused.run(id);
  await expect.poll(() => paused.send.mock.calls.length).toBe(1);
  server.clock.advance((claimSeconds + 1) * 1000);
  const second = other.run(id);
  await expect.poll(() => other.send.mock.calls.length).toBe(1);
  return {
    endFirst(outcome: number | DeliveryFailure) {
      paused.end(outcome);
      return first;
    },
    endSecond(outcome: number | DeliveryFailure) {
      other.end(outcome);
      return second;
    },
  };
}

test('a try that ends when its claim is over does not make wait what another server has sent', async () => {
  const { endFirst, endSecond } = await tryTwice();
  await endSecond(200);
  const sent = await read();
  await endFirst(new DeliveryFailure('timeout'));
  expect(await read()).toEqual(sent);
  expect(sent).toMatchObject({ status: 'sent', attempts: 2, last_error: null, response_status: 200 });
});

test('a try that ends when its claim is over leaves the claim of the one after it', async () => {
  const { endFirst, endSecond } = await tryTwice();
  const claimed = await read();
  await endFirst(new DeliveryFailure('timeout'));
  expect(await read()).toEqual(claimed);
  await endSecond(new DeliveryFailure('refused'));
  expect(await read()).toMatchObject({
    status: 'waiting',
    attempts: 2,
    last_error: 'refused',
    claimed_until: null,
  });
});

test('a late try that was sent counts, and what the one after it says no longer', async () => {
  const { endFirst, endSecond } = await tryTwice();
  await endFirst(202);
  const sent = await read();
  expect(sent).toMatchObject({ status: 'sent', response_status: 202, claimed_until: null });
  await endSecond(new DeliveryFailure('refused'));
  expect(await read()).toEqual(sent);
});

test('a late try that was sent counts, also where the one after it was the last and has failed', async () => {
  const { endFirst, endSecond } = await tryTwice();
  await endSecond(new DeliveryFailure('refused', { isFinal: true }));
  expect(await read()).toMatchObject({ status: 'refused', last_error: 'refused' });
  await endFirst(202);
  expect(await read()).toMatchObject({ status: 'sent', response_status: 202, last_error: null });
});

test('what a killed server had in hand is sent by the next one when its claim is over, as the same', async () => {
  const [killed, next] = [startSender(), startSender()];
  const [text, one] = ['what happened', { channel: 'test', kind: 'test', content: 'what happened' }];
  await server.db.transaction().execute((transaction) => killed.deliveries.add(transaction, one));
  const { id } = await read();
  void killed.run(id);
  await expect.poll(() => killed.send.mock.calls.length).toBe(1);
  const waiting = () =>
    sql<{ key: string }>`select key from graphile_worker.jobs where key = ${`delivery ${id}`}`.execute(
      server.db,
    );
  await sql`delete from graphile_worker._private_jobs`.execute(server.db); // the killed one holds it for hours

  next.end(200);
  await next.deliveries.recoverFromCrash();
  expect((await waiting()).rows).toHaveLength(0);
  await next.run(id);
  expect(next.send).not.toHaveBeenCalled();
  server.clock.advance((claimSeconds + 1) * 1000);
  await next.deliveries.recoverFromCrash();
  expect((await waiting()).rows).toHaveLength(1);
  await next.run(id);
  expect(next.send).toHaveBeenCalledWith(expect.objectContaining({ id, content: text }), expect.anything());
  expect(await read()).toMatchObject({ status: 'sent', attempts: 2 });
});
