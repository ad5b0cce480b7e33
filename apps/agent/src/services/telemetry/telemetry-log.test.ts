import type { TelemetryOffset } from '@pult/link';
import { expect, test } from 'vitest';
import { TelemetryLog } from './telemetry-log.ts';

interface Line {
  offset: number;
  age: number;
  value?: string;
  metrics?: { load15: number };
}

/** Everything that is told now, without waiting for more: the greeting and the entries. */
async function readNow(log: TelemetryLog, since: TelemetryOffset = { streamId: null, offset: 0 }) {
  const left = new AbortController();
  const lines: string[] = [];
  for await (const part of log.read(since, left.signal)) {
    lines.push(...part.trimEnd().split('\n'));
    // What is not told by then would have to wait for a next entry.
    if (lines.length > 1 || log.size === 0) break;
    setImmediate(() => setImmediate(() => left.abort()));
  }
  left.abort();
  const [greeting = '', ...entries] = lines;
  return {
    greeting: JSON.parse(greeting) as { streamId: string; lost: number },
    entries: entries.map((line): Line => JSON.parse(line)),
  };
}

test('a subject is told once, as it is now, in the order of the last changes', async () => {
  const log = new TelemetryLog();
  log.put('a', { value: 'a1' });
  log.put('b', { value: 'b1' });
  log.put('a', { value: 'a2' });
  const { entries } = await readNow(log);
  expect(entries).toMatchObject([
    { offset: 2, value: 'b1' },
    { offset: 3, value: 'a2' },
  ]);
});

test('whoever comes back is told what came after, measurements one by one', async () => {
  const log = new TelemetryLog();
  log.addSample({ load15: 1 });
  log.put('a', { value: 'a1' });
  log.addSample({ load15: 2 });
  log.put('b', { value: 'b1' });
  log.addSample({ load15: 3 });
  const first = await readNow(log);
  expect(first.entries.map(({ offset }) => offset)).toEqual([1, 2, 3, 4, 5]);
  const { entries } = await readNow(log, { streamId: log.streamId, offset: 2 });
  expect(entries).toMatchObject([{ metrics: { load15: 2 } }, { value: 'b1' }, { metrics: { load15: 3 } }]);
  expect((await readNow(log, { streamId: log.streamId, offset: 5 })).entries).toEqual([]);
});

test('an offset of another stream, or of the future, is none', async () => {
  const log = new TelemetryLog();
  log.put('a', { value: '1' });
  expect((await readNow(log, { streamId: 'of-another-agent', offset: 1 })).entries).toHaveLength(1);
  expect((await readNow(log, { streamId: log.streamId, offset: 2 })).entries).toHaveLength(1);
});

test('the age is the time since, whatever the clock of the machine says', async () => {
  let now = 1000;
  const log = new TelemetryLog({ now: () => now });
  log.put('a', { value: '1' });
  now += 90_000;
  log.addSample({ load15: 1 });
  const { entries } = await readNow(log);
  expect(entries.map(({ age }) => age)).toEqual([90_000, 0]);
});

test('what has no room is lost from its oldest end, and that is told', async () => {
  const log = new TelemetryLog({ maxSamples: 3 });
  for (const load15 of [1, 2, 3, 4, 5]) log.addSample({ load15 });
  const { greeting, entries } = await readNow(log);
  expect(greeting.lost).toBe(2);
  expect(entries.map(({ metrics }) => metrics?.load15)).toEqual([3, 4, 5]);
});

test('a value that changes 100,000 times takes the room of one', () => {
  const log = new TelemetryLog({ maxLength: 1000 });
  for (let count = 0; count < 100_000; count++) log.put('a', { value: String(count) });
  expect(log.size).toBe(1);
  expect(log.isFull).toBe(false);
});

test('a part is no larger than what a server takes in a second', async () => {
  const log = new TelemetryLog();
  for (let count = 0; count < 2_500; count++) log.put(`subject ${count}`, { value: 'x' });
  for (let count = 0; count < 100; count++) log.addSample({ load15: count });
  expect((await readNow(log)).entries).toHaveLength(2000);
  const { entries } = await readNow(log, { streamId: log.streamId, offset: 2000 });
  expect(entries.map(({ offset }) => offset)).toEqual(
    Array.from({ length: 600 }, (_, place) => 2001 + place),
  );
});

test('a value that changes all the time is told once in an interval', async () => {
  const log = new TelemetryLog({ intervalMs: 50 });
  const left = new AbortController();
  log.put('a', { value: '0' });
  const told: string[] = [];
  const start = performance.now();
  const changing = setInterval(() => log.put('a', { value: 'later' }), 1);
  for await (const part of log.read({ streamId: null, offset: 0 }, left.signal)) {
    told.push(part);
    if (told.length === 5) break;
  }
  clearInterval(changing);
  // The greeting, the first at once, and three more.
  expect(performance.now() - start).toBeGreaterThan(3 * 45);
  for (const part of told.slice(1)) expect(part.trimEnd().split('\n')).toHaveLength(1);
});

test('a restart ends what is being told, hides what was measured, and numbers the rest anew', async () => {
  const log = new TelemetryLog();
  log.addSample({ load15: 1 });
  log.put('a', { value: '1' });
  const reading = log.read({ streamId: null, offset: 0 }, new AbortController().signal);
  const { streamId } = log;
  await reading.next();
  log.restart();
  expect((await reading.next()).done).toBe(true);
  expect(log.streamId).not.toBe(streamId);
  expect((await readNow(log, { streamId, offset: 2 })).entries).toMatchObject([{ offset: 1, value: '1' }]);
});

test('texts of any script are told, and known, as they were put in', async () => {
  const log = new TelemetryLog();
  const title = 'Температура 温度 🌡 é "quoted" \\ %';
  log.put('a', { title });
  const { entries } = await readNow(log);
  expect(entries).toMatchObject([{ title }]);
  expect(log.get('a')).toEqual({ title });
  expect(log.get('b')).toBeUndefined();
});
