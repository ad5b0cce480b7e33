import { randomBytes } from 'node:crypto';
import { type NatsServer, startNatsServer } from '@pult/testkit';
import { connect } from 'nats';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../clock.ts';
import { Events } from '../../events/events.ts';
import { createLog } from '../../log.ts';
import { createNatsBus } from './nats-bus.ts';
import { shareEvents } from './shared-events.ts';

const log = createLog('silent');
const key = randomBytes(32);
let nats: NatsServer;
beforeAll(async () => {
  nats = await startNatsServer();
});
afterAll(() => nats.stop());

function startBus(id: string, { key: ownKey = key, url = nats.url } = {}) {
  const bus = createNatsBus({
    settings: { urls: [url] },
    key: ownKey,
    getNodeId: () => id,
    clock: systemClock,
    log,
  });
  bus.start();
  onTestFinished(() => bus.stop());
  return bus;
}

async function startPair() {
  const pair = [startBus('one'), startBus('two')] as const;
  for (const bus of pair) await expect.poll(() => bus.isConnected).toBe(true);
  return pair;
}

function startEvents(bus: ReturnType<typeof startBus>) {
  const events = new Events(log);
  const shared = shareEvents({ events, bus, log });
  shared.start();
  onTestFinished(() => shared.stop());
  return events;
}

test('a question to another node is answered by it, and one that nobody hears says so at once', async () => {
  const [one, two] = await startPair();
  two.subscribe('pult.test.sum', ({ from, body }) => ({
    from,
    sum: (body as number[]).reduce((a, b) => a + b),
  }));
  await two.flush();
  expect(await one.request('pult.test.sum', [1, 2, 3])).toEqual({ from: 'one', sum: 6 });
  await expect(one.request('pult.test.none', 1)).rejects.toMatchObject({ failure: 'unheard' });
  two.subscribe('pult.test.silent', () => undefined);
  await two.flush();
  await expect(one.request('pult.test.silent', 1, 50)).rejects.toMatchObject({ failure: 'silent' });
});

test('a node without the key is neither heard nor answered', async () => {
  const [one, two] = await startPair();
  const stranger = startBus('stranger', { key: randomBytes(32) });
  await expect.poll(() => stranger.isConnected).toBe(true);
  const heard: unknown[] = [];
  two.subscribe('pult.test.secret', ({ body }) => void heard.push(body));
  await two.flush();
  stranger.publish('pult.test.secret', 'foreign');
  one.publish('pult.test.secret', 'own');
  await expect.poll(() => heard).toEqual(['own']);
  expect(two.counts.dropped.read('reason')).toContainEqual({ labels: { reason: 'foreign' }, value: 1 });
});

test('a message that somebody at the broker repeats is dropped, wherever it is sent', async () => {
  const [one, two] = await startPair();
  const spy = await connect({ servers: [`127.0.0.1:${nats.port}`] });
  onTestFinished(() => spy.close());
  const seen: Uint8Array[] = [];
  spy.subscribe('pult.test.deed', { callback: (_, { data }) => void seen.push(data) });
  await spy.flush();
  const heard: unknown[] = [];
  for (const subject of ['pult.test.deed', 'pult.test.other']) {
    two.subscribe(subject, ({ body }) => void heard.push(body));
  }
  await two.flush();
  one.publish('pult.test.deed', 'once');
  await expect.poll(() => seen.length).toBe(1);
  spy.publish('pult.test.deed', seen[0]);
  spy.publish('pult.test.other', seen[0]);
  spy.publish('pult.test.deed', seen[0], { reply: 'elsewhere' });
  await expect
    .poll(() => two.counts.dropped.read('reason'))
    .toEqual(
      expect.arrayContaining([
        { labels: { reason: 'replayed' }, value: 1 },
        { labels: { reason: 'foreign' }, value: 2 },
      ]),
    );
  expect(heard).toEqual(['once']);
});

test('an event is heard at every node, and once at its own', async () => {
  const buses = await startPair();
  const [one, two] = buses.map((bus) => startEvents(bus)) as [Events, Events];
  for (const bus of buses) await bus.flush();
  const heard: string[] = [];
  one.subscribe('accessEnded', ({ userId }) => heard.push(`one ${userId}`));
  two.subscribe('accessEnded', ({ userId }) => heard.push(`two ${userId}`));
  two.subscribe('serverStopping', () => heard.push('two stops'));
  one.publish('serverStopping', {});
  one.publish('accessEnded', { userId: 'a' });
  await expect.poll(() => heard).toEqual(['one a', 'two a']);
});

test('a broker that goes away and comes back: both nodes know that they have missed something, and hear each other again', async () => {
  const own = await startNatsServer();
  onTestFinished(() => own.stop());
  const buses = [startBus('one', { url: own.url }), startBus('two', { url: own.url })];
  for (const bus of buses) await expect.poll(() => bus.isConnected).toBe(true);
  const [one, two] = buses.map((bus) => startEvents(bus)) as [Events, Events];
  const heard: string[] = [];
  const missed = { one: 0, two: 0 };
  two.subscribe('accessEnded', ({ userId }) => heard.push(`${userId}`));
  one.subscribe('eventsMissed', () => {
    missed.one += 1;
  });
  two.subscribe('eventsMissed', () => {
    missed.two += 1;
  });
  await own.halt();
  for (const bus of buses) await expect.poll(() => bus.isConnected, { timeout: 5_000 }).toBe(false);
  await expect(buses[0]?.request('pult.test', 1)).rejects.toMatchObject({ failure: 'cut' });
  one.publish('accessEnded', { userId: 'lost' });
  const before = { ...missed };
  await own.start();
  for (const bus of buses) await expect.poll(() => bus.isConnected, { timeout: 10_000 }).toBe(true);
  await expect.poll(() => missed.one > before.one && missed.two > before.two).toBe(true);
  one.publish('accessEnded', { userId: 'after' });
  await expect.poll(() => heard).toEqual(['after']);
}, 30_000);

test('an event that was lost between two that were heard is noticed', async () => {
  const [first, second] = await startPair();
  const two = startEvents(second);
  let missed = 0;
  const heard: unknown[] = [];
  two.subscribe('eventsMissed', () => {
    missed += 1;
  });
  two.subscribe('enrolmentChanged', ({ enrolmentId }) => heard.push(enrolmentId));
  await second.flush();
  const tell = (number: number, enrolmentId: string) =>
    first.publish('pult.events', { number, topic: 'enrolmentChanged', event: { enrolmentId } });
  tell(1, 'a');
  tell(2, 'b');
  await expect.poll(() => heard).toEqual(['a', 'b']);
  expect(missed).toBe(0);
  tell(4, 'd');
  await expect.poll(() => missed).toBe(1);
  expect(heard).toEqual(['a', 'b', 'd']);
});

test('a bus that has never reached its broker stops, and one that comes later is found', async () => {
  const late = await startNatsServer();
  await late.stop();
  const alone = startBus('alone', { url: late.url });
  await expect(alone.request('pult.test.none', 1)).rejects.toMatchObject({ failure: 'cut' });
  await alone.stop();
  expect(alone.isConnected).toBe(false);
});
