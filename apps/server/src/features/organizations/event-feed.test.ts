import { type EventMessage, eventMessage, limits, type OrganizationEvent } from '@pult/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Events } from '../../platform/events/events.ts';
import { createLog } from '../../platform/log.ts';
import { createEventFeeds } from './event-feed.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function createFixture() {
  const events = new Events(createLog('silent'));
  const feeds = createEventFeeds(events);
  return {
    events,
    feeds,
    publish: (event: OrganizationEvent, organizationId = 'one') =>
      events.publish('organization', { organizationId, event }),
    read(organizationId = 'one') {
      const messages: EventMessage[] = [];
      const state = { isReady: true, bytes: 0 };
      const subscription = feeds.subscribe(organizationId, {
        isReady: () => state.isReady,
        write: (buffer) => {
          const text = buffer.toString();
          expect(text).toMatch(/^data: .*\n\n$/);
          state.bytes += buffer.length;
          messages.push(eventMessage.parse(JSON.parse(text.slice(6))));
        },
      });
      return { messages, state, subscription };
    },
  };
}

const updated = (serialNumber: string): OrganizationEvent => ({ type: 'controller.updated', serialNumber });
const statusOf = (serialNumber: string, status: 'online' | 'offline'): OrganizationEvent => ({
  type: 'controller.status',
  serialNumber,
  status,
  statusReason: 'link',
  statusSince: '2026-01-01T00:00:00.000Z',
  lastSeenAt: '2026-01-01T00:00:00.000Z',
});

it('tells a change alone at once, those that follow in one message half a second later', () => {
  const { publish, read } = createFixture();
  const { messages } = read();
  publish(updated('A1'));
  vi.advanceTimersByTime(1);
  expect(messages.map(({ changes }) => changes)).toEqual([[], [updated('A1')]]);
  publish(updated('A2'));
  vi.advanceTimersByTime(200);
  publish(updated('A3'));
  vi.advanceTimersByTime(298);
  expect(messages).toHaveLength(2);
  vi.advanceTimersByTime(2);
  expect(messages[2]?.changes).toEqual([updated('A2'), updated('A3')]);
});

it('says where it is to who will read it: what is published after that, and nothing else, is missed', () => {
  const { feeds, publish, read } = createFixture();
  const [untouched, other] = [feeds.cursorOf('one'), feeds.cursorOf('two')];
  expect(read().messages[0]).toMatchObject({ after: untouched, changes: [] });
  publish(updated('A1'));
  vi.advanceTimersByTime(1);
  const cursor = feeds.cursorOf('one');
  expect(cursor).not.toBe(untouched);
  const { messages } = read();
  publish(updated('A2'));
  vi.advanceTimersByTime(500);
  expect(messages).toMatchObject([
    { after: cursor, changes: [] },
    { after: cursor, changes: [updated('A2')] },
  ]);
  publish(updated('B1'), 'two');
  expect(read('two').messages[0]?.after).not.toBe(other);
});

it('tells of what changed more than once the last, in the order of the last', () => {
  const { publish, read } = createFixture();
  const { messages } = read();
  publish(statusOf('A1', 'online'));
  publish(updated('A1'));
  publish({ type: 'group.changed', change: 'controllers', groupId: null });
  publish(statusOf('A2', 'online'));
  publish({ type: 'group.changed', change: 'deleted', groupId: null });
  publish(statusOf('A1', 'offline'));
  vi.advanceTimersByTime(1);
  expect(messages[1]?.changes).toEqual([
    updated('A1'),
    { type: 'group.changed', change: 'controllers', groupId: null },
    statusOf('A2', 'online'),
    { type: 'group.changed', change: 'deleted', groupId: null },
    statusOf('A1', 'offline'),
  ]);
});

it('tells of too much at once only that there was much', () => {
  const { publish, read } = createFixture();
  const { messages } = read();
  for (let number = 0; number <= limits.eventsPerMessage; number += 1) publish(updated(`A${number}`));
  vi.advanceTimersByTime(1);
  publish(updated('B1'));
  vi.advanceTimersByTime(500);
  expect(messages.map(({ changes }) => changes)).toEqual([[], null, [updated('B1')]]);
});

it('numbers its messages so that each follows the last, for readers who came at different times', () => {
  const { publish, read } = createFixture();
  const first = read();
  publish(updated('A1'));
  vi.advanceTimersByTime(1);
  publish(updated('A2'));
  // What is about to be told comes after what this one is told at first.
  const second = read();
  vi.advanceTimersByTime(500);
  publish(updated('A3'));
  vi.advanceTimersByTime(500);
  for (const { messages } of [first, second]) {
    for (const [index, message] of messages.entries()) {
      if (index > 0) expect(message.after).toBe(messages[index - 1]?.cursor);
    }
    expect(messages.at(-1)?.changes).toEqual([updated('A3')]);
  }
  expect(second.messages).toHaveLength(3);
});

it('tells one that comes back where it is: where it was if nothing happened, elsewhere if something did', () => {
  const { publish, read } = createFixture();
  const before = read();
  before.subscription.end();
  const back = read();
  expect(back.messages).toEqual(before.messages);
  back.subscription.end();
  // Nobody listens.
  publish(updated('A1'));
  vi.advanceTimersByTime(1000);
  expect(read().messages[0]?.cursor).not.toBe(before.messages[0]?.cursor);
});

it('the feed is never at the cursor of another run of the server', () => {
  const cursor = () => createFixture().read().messages[0]?.cursor;
  expect(cursor()).not.toBe(cursor());
});

it('keeps organizations apart, and tells nobody who has left', () => {
  const { publish, read } = createFixture();
  const [one, two, left] = [read('one'), read('two'), read('one')];
  left.subscription.end();
  publish(updated('A1'), 'one');
  vi.advanceTimersByTime(1000);
  expect([one, two, left].map(({ messages }) => messages.length)).toEqual([2, 1, 1]);
});

it('keeps nothing for a reader that is behind, and lets it learn of the gap as soon as it can', () => {
  const { publish, read } = createFixture();
  const [slow, quick] = [read(), read()];
  slow.state.isReady = false;
  for (let number = 0; number < 20; number += 1) {
    publish(updated(`A${number}`));
    vi.advanceTimersByTime(500);
  }
  expect([slow.messages.length, quick.messages.length]).toEqual([1, 21]);
  slow.state.isReady = true;
  slow.subscription.catchUp();
  expect(slow.messages.at(-1)).toEqual({
    after: quick.messages.at(-1)?.cursor,
    cursor: quick.messages.at(-1)?.cursor,
    changes: [],
  });
  // One that has missed nothing is told nothing by that.
  slow.subscription.catchUp();
  expect(slow.messages).toHaveLength(2);
  publish(updated('B1'));
  vi.advanceTimersByTime(500);
  expect(slow.messages.at(-1)).toEqual(quick.messages.at(-1));
});

it('tells 10,000 changes in a minute in two messages a second, by a bounded number of bytes', () => {
  const { publish, read } = createFixture();
  const readers = [read(), read(), read()];
  for (let number = 0; number < 10_000; number += 1) {
    publish(statusOf(`CONTROLLER-${number}`, 'online'));
    vi.advanceTimersByTime(6);
  }
  vi.advanceTimersByTime(500);
  for (const { messages, state } of readers) {
    expect(messages.length).toBeLessThanOrEqual(123);
    expect(messages.flatMap(({ changes }) => changes ?? [])).toHaveLength(10_000);
    expect(state.bytes).toBeLessThan(2_500_000);
  }
});

it('tells 10,000 changes in a second by a few words', () => {
  const { publish, read } = createFixture();
  const { messages, state } = read();
  for (let number = 0; number < 10_000; number += 1) {
    publish(statusOf(`CONTROLLER-${number}`, 'online'));
    if (number % 10 === 9) vi.advanceTimersByTime(1);
  }
  vi.advanceTimersByTime(1000);
  expect(messages.length).toBeLessThanOrEqual(5);
  expect(messages.some(({ changes }) => changes === null)).toBe(true);
  expect(state.bytes).toBeLessThan(limits.eventsPerMessage * 250);
});

const valuesOf = (serialNumber: string, second: number, length: number): OrganizationEvent => ({
  type: 'controller.values',
  serialNumber,
  receivedAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  controls: [{ device: 'd', control: 'c', value: 'x'.repeat(length), updatedAt: '2026-01-01T00:00:00.000Z' }],
  isPartial: false,
});

it('tells long values in messages of bounded length that follow on each other, and loses none', () => {
  const { publish, read } = createFixture();
  const { messages, state } = read();
  const told = Array.from({ length: 12 }, (_, index) => valuesOf(`A${index}`, index, 60_000));
  for (const event of told) publish(event);
  const lengths: number[] = [];
  for (const step of [1, 500, 500, 500, 500]) {
    const before = state.bytes;
    vi.advanceTimersByTime(step);
    if (state.bytes > before) lengths.push(state.bytes - before);
  }
  expect(lengths).toHaveLength(3);
  expect(Math.max(...lengths)).toBeLessThan(256 * 1024 + 61_000);
  expect(messages.flatMap(({ changes }) => changes)).toEqual(told);
  for (const [index, { after }] of messages.slice(1).entries()) expect(after).toBe(messages[index]?.cursor);
  // Somebody who comes now is where the others are.
  expect(read().messages[0]?.cursor).toBe(messages.at(-1)?.cursor);
});

it('tells a reader that comes between two of these messages where it is, and then the rest', () => {
  const { publish, read } = createFixture();
  read();
  for (let index = 0; index < 12; index += 1) publish(valuesOf(`A${index}`, index, 60_000));
  vi.advanceTimersByTime(1);
  const { messages } = read();
  vi.advanceTimersByTime(5_000);
  for (const [index, { after }] of messages.slice(1).entries()) expect(after).toBe(messages[index]?.cursor);
  expect(messages.flatMap(({ changes }) => changes)).toHaveLength(7);
});

it('the feed tells of more values than it keeps whose they are, once, to be read anew', () => {
  const { publish, read } = createFixture();
  const { messages, state } = read();
  for (let second = 0; second < 400; second += 1) publish(valuesOf(`A${second % 40}`, second, 60_000));
  vi.advanceTimersByTime(60_000);
  expect(state.bytes).toBeLessThan(2 * 1024 * 1024);
  const partial = messages
    .flatMap(({ changes }) => changes ?? [])
    .filter((change) => 'isPartial' in change && change.isPartial);
  expect(partial).toHaveLength(40);
});
