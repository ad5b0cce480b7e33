import { randomBytes } from 'node:crypto';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { createEncryptor } from '../encryptor.ts';
import { createLog } from '../log.ts';
import { createDeliveries } from './deliveries.ts';
import { DeliveryFailure } from './delivery.ts';

const encryptor = createEncryptor(randomBytes(32));
let server: TestServer;
/** What receivers answer: a failure, or undefined where they take it. */
let answer: DeliveryFailure | undefined;
const post = vi.fn(async () => {
  if (answer) throw answer;
  return 204;
});

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('deliveries').execute();
  await server.db.deleteFrom('rate_limits').execute();
  answer = undefined;
  post.mockClear();
});

/** One of several servers of the installation; the content of a delivery is the address of its receiver. */
function startSender() {
  const core = { db: server.db, clock: server.clock, log: createLog('silent') };
  const deliveries = createDeliveries({ ...core, encryptor, diskGuard: { room: 'enough' } });
  const job = deliveries.serve({
    channel: 'test',
    maxAttempts: 2,
    claimSeconds: 30,
    send: ({ content }) => deliveries.sendTo(String(content), post),
  });
  return {
    deliveries,
    async send(receiver: string): Promise<string> {
      const content = receiver;
      await server.db
        .transaction()
        .execute((transaction) => deliveries.add(transaction, { channel: 'test', kind: 'test', content }));
      const { id } = await server.db
        .selectFrom('deliveries')
        .select('id')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow();
      await job.run({ id }, new AbortController().signal);
      return id;
    },
    run: (id: string) => job.run({ id }, new AbortController().signal),
  };
}

const read = (id: string) =>
  server.db.selectFrom('deliveries').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const inSeconds = (seconds: number) => new Date(server.clock.now().getTime() + seconds * 1000);
const busy = (retryAfter: string) => new DeliveryFailure('status', { status: 429, retryAfter });

it('a receiver that asks for a pause gets nothing more meanwhile, from whichever server, and all of it then', async () => {
  const [one, other] = [startSender(), startSender()];
  const end = inSeconds(600);
  answer = busy('600');
  const first = await one.send('https://a.example.com/');
  expect(await read(first)).toMatchObject({ status: 'waiting', attempts: 1, next_try_at: end });
  answer = undefined;
  const second = await other.send('https://a.example.com/');
  // Tries are those that were made, however long the receiver rests.
  await other.run(second);
  await other.run(second);
  expect(post).toHaveBeenCalledTimes(1);
  expect(await read(second)).toMatchObject({
    status: 'waiting',
    attempts: 0,
    last_error: 'paused',
    tried_at: null,
    next_try_at: end,
    claimed_until: null,
  });
  expect(await read(await one.send('https://b.example.com/'))).toMatchObject({ status: 'sent' });
  server.clock.advance(600_000);
  for (const id of [first, second]) {
    await one.run(id);
    expect(await read(id)).toMatchObject({ status: 'sent', last_error: null });
  }
});

it.each<[string, () => string, number]>([
  ['a date', () => inSeconds(1800).toUTCString(), 1800],
  ['a time that is shorter than that to the next try', () => '1', 30],
  ['ten years', () => String(10 * 365 * 24 * 3600), 7200],
  ['a date in a hundred years', () => 'Fri, 27 Nov 2126 12:00:00 GMT', 7200],
  ['a time that is over', () => 'Fri, 27 Nov 2015 12:00:00 GMT', 30],
  ['nonsense', () => 'later', 30],
])('a receiver that asks for %s is believed within bounds', async (_, retryAfter, seconds) => {
  server.clock.advance(1000 - (server.clock.now().getTime() % 1000));
  answer = busy(retryAfter());
  const id = await startSender().send('https://a.example.com/');
  expect((await read(id)).next_try_at).toEqual(inSeconds(seconds));
});

it('a delivery by hand to a receiver that rests is told so at once', async () => {
  const { deliveries, send } = startSender();
  answer = busy('60');
  await send('https://a.example.com/');
  const tested = await deliveries.sendNow({
    channel: 'test',
    kind: 'test',
    content: 'https://a.example.com/',
  });
  expect(tested).toMatchObject({ status: 'refused', last_error: 'paused' });
  expect(post).toHaveBeenCalledTimes(1);
});
