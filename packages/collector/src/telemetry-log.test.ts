import { TelemetryDecoder, type TelemetryEntry, type TelemetryOffset } from '@pult/link';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { TelemetryLog } from './telemetry-log.ts';

const value = (control: string, text: string) => ({ device: 'd', control, value: text });
const fromStart = { streamId: null, offset: 0 };

/** Everything that is told now, without waiting for more: how many measurements were lost, and the entries. */
async function readNow(log: TelemetryLog, since: TelemetryOffset = fromStart) {
  const left = new AbortController();
  const decoder = new TelemetryDecoder();
  const entries: TelemetryEntry[] = [];
  let lost = 0;
  for await (const bytes of log.read(since, left.signal)) {
    for (const part of decoder.decode(bytes)) {
      if ('greeting' in part) lost = part.greeting.lost;
      else entries.push(...part.entries);
    }
    // What is not told by then would have to wait.
    setImmediate(() => setImmediate(() => left.abort()));
  }
  return { lost, entries };
}

/** What a reader of it has been told so far, in the parts in which it came, while fake timers run. */
function follow(log: TelemetryLog, since: TelemetryOffset = fromStart) {
  const left = new AbortController();
  const decoder = new TelemetryDecoder();
  const told: TelemetryEntry[][] = [];
  const reading = (async () => {
    for await (const bytes of log.read(since, left.signal)) {
      for (const part of decoder.decode(bytes)) if ('entries' in part) told.push(part.entries);
    }
  })();
  onTestFinished(async () => {
    left.abort();
    await reading;
  });
  return told;
}

function useFakeTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
}

test('a subject is told once, as it is now, in the order of the last changes', async () => {
  const log = new TelemetryLog();
  log.put('a', value('a', 'a1'));
  log.put('b', value('b', 'b1'));
  log.put('a', value('a', 'a2'));
  const { entries } = await readNow(log);
  expect(entries).toMatchObject([
    { offset: 2, value: 'b1' },
    { offset: 3, value: 'a2' },
  ]);
});

test('whoever comes back is told what came after, measurements one by one', async () => {
  const log = new TelemetryLog();
  log.addSample({ load15: 1 });
  log.put('a', value('a', 'a1'));
  log.addSample({ load15: 2 });
  log.put('b', value('b', 'b1'));
  log.addSample({ load15: 3 });
  const first = await readNow(log);
  expect(first.entries.map(({ offset }) => offset)).toEqual([1, 2, 3, 4, 5]);
  const { entries } = await readNow(log, { streamId: log.streamId, offset: 2 });
  expect(entries).toMatchObject([{ metrics: { load15: 2 } }, { value: 'b1' }, { metrics: { load15: 3 } }]);
  expect((await readNow(log, { streamId: log.streamId, offset: 5 })).entries).toEqual([]);
});

test('an offset of another stream, or of the future, is none', async () => {
  const log = new TelemetryLog();
  log.put('a', value('a', '1'));
  expect((await readNow(log, { streamId: 'of-another-agent', offset: 1 })).entries).toHaveLength(1);
  expect((await readNow(log, { streamId: log.streamId, offset: 2 })).entries).toHaveLength(1);
});

test('the age is the time since, whatever the clock of the machine says', async () => {
  let now = 1000;
  const log = new TelemetryLog({ now: () => now });
  log.put('a', value('a', '1'));
  now += 90_000;
  log.addSample({ load15: 1 });
  const { entries } = await readNow(log);
  expect(entries.map(({ age }) => age)).toEqual([90_000, 0]);
});

test('what has no room is lost from its oldest end, and that is told', async () => {
  const log = new TelemetryLog({ maxSamples: 3 });
  for (const load15 of [1, 2, 3, 4, 5]) log.addSample({ load15 });
  const { lost, entries } = await readNow(log);
  expect(lost).toBe(2);
  expect(entries).toMatchObject([3, 4, 5].map((load15) => ({ metrics: { load15 } })));
});

test('a value that changes 100,000 times takes the room of one', () => {
  const log = new TelemetryLog({ maxLength: 1000 });
  for (let count = 0; count < 100_000; count++) log.put('a', value('a', String(count)));
  expect(log.size).toBe(1);
  expect(log.isFull).toBe(false);
});

test('no more is told in a second than a server takes, and all of it in the order of its numbers', async () => {
  useFakeTimers();
  const log = new TelemetryLog();
  for (let count = 0; count < 2_500; count++) log.put(`subject ${count}`, value(`c${count}`, 'x'));
  for (let count = 0; count < 100; count++) log.addSample({ load15: count });
  const told = follow(log);
  await vi.advanceTimersByTimeAsync(500);
  expect(told.flat()).toHaveLength(2000);
  // Not after the ten seconds of a quiet subscription.
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told.flat().map(({ offset }) => offset)).toEqual(
    Array.from({ length: 2600 }, (_, place) => place + 1),
  );
});

test('changes are kept together for ten seconds while nobody looks, and the last value of each is told', async () => {
  useFakeTimers();
  const log = new TelemetryLog();
  log.put('a', value('a', '0'));
  const told = follow(log);
  // What waited for somebody to listen goes at once.
  await vi.advanceTimersByTimeAsync(0);
  expect(told.flat()).toMatchObject([{ value: '0' }]);
  let count = 0;
  const changing = setInterval(() => log.put('a', value('a', String(++count))), 500);
  await vi.advanceTimersByTimeAsync(10_400);
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(20_000);
  clearInterval(changing);
  expect(told.map((part) => part.length)).toEqual([1, 1, 1]);
  // Ten seconds after the first of them.
  expect(told.flat()).toMatchObject([{ value: '0' }, { value: '21' }, { value: '42' }]);
});

test('a change is told at once while somebody looks, and the next within a second', async () => {
  useFakeTimers();
  const log = new TelemetryLog();
  const told = follow(log, { ...fromStart, isLive: true });
  log.put('a', value('a', '0'));
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toMatchObject([[{ value: '0' }]]);
  const changing = setInterval(() => log.put('a', value('a', 'later')), 10);
  await vi.advanceTimersByTimeAsync(990);
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(4_000);
  clearInterval(changing);
  expect(told.map((part) => part.length)).toEqual([1, 1, 1, 1, 1]);
});

test('a measurement waits for an occasion, 40 seconds at most, and those that came meanwhile go with it', async () => {
  useFakeTimers();
  const log = new TelemetryLog();
  log.addSample({ load15: 1 });
  const told = follow(log);
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toHaveLength(1);
  log.addSample({ load15: 2 });
  await vi.advanceTimersByTimeAsync(30_000);
  log.addSample({ load15: 3 });
  expect(told).toHaveLength(1);
  log.tellNow();
  await vi.advanceTimersByTimeAsync(0);
  expect(told[1]).toMatchObject([{ metrics: { load15: 2 } }, { metrics: { load15: 3 } }]);
  log.addSample({ load15: 4 });
  await vi.advanceTimersByTimeAsync(39_900);
  expect(told).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(told[2]).toMatchObject([{ metrics: { load15: 4 } }]);
});

test('a changed value takes the measurements that wait with it after ten seconds', async () => {
  useFakeTimers();
  const log = new TelemetryLog();
  log.addSample({ load15: 1 });
  const told = follow(log);
  await vi.advanceTimersByTimeAsync(0);
  log.addSample({ load15: 2 });
  await vi.advanceTimersByTimeAsync(5_000);
  log.put('a', value('a', '1'));
  await vi.advanceTimersByTimeAsync(9_900);
  expect(told).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(200);
  expect(told[1]).toMatchObject([{ metrics: { load15: 2 } }, { value: '1' }]);
});

test('a reader that waits for a quiet time to end is told of a restart at once', async () => {
  useFakeTimers();
  const log = new TelemetryLog();
  log.put('a', value('a', '0'));
  const reading = log.read(fromStart, new AbortController().signal);
  await reading.next();
  await reading.next();
  const next = reading.next();
  log.put('a', value('a', '1'));
  await vi.advanceTimersByTimeAsync(100);
  log.restart();
  expect((await next).done).toBe(true);
});

test('a restart ends what is being told, hides what was measured, and numbers the rest anew', async () => {
  const log = new TelemetryLog();
  log.addSample({ load15: 1 });
  log.put('a', value('a', '1'));
  const reading = log.read({ streamId: null, offset: 0 }, new AbortController().signal);
  const { streamId } = log;
  await reading.next();
  log.restart();
  expect((await reading.next()).done).toBe(true);
  expect(log.streamId).not.toBe(streamId);
  expect((await readNow(log, { streamId, offset: 2 })).entries).toMatchObject([{ offset: 1, value: '1' }]);
});

test('a restart in the middle of much that is told keeps the rest of it back', async () => {
  const log = new TelemetryLog();
  for (let count = 0; count < 1_500; count++) log.put(`subject ${count}`, value(`c${count}`, 'x'));
  const decoder = new TelemetryDecoder();
  const told: TelemetryEntry[] = [];
  for await (const bytes of log.read(fromStart, new AbortController().signal)) {
    for (const part of decoder.decode(bytes)) if ('entries' in part) told.push(...part.entries);
    if (told.length > 0) log.restart();
  }
  expect(told).toHaveLength(500);
});

test('texts of any script are told, and known, as they were put in', async () => {
  const log = new TelemetryLog();
  const fields = { device: 'd', title: { en: 'Температура 温度 🌡 é "quoted" \\ %', ru: null } };
  log.put('a', fields);
  const { entries } = await readNow(log);
  expect(entries).toMatchObject([fields]);
  expect(log.get('a')).toEqual(fields);
  expect(log.get('b')).toBeUndefined();
});

const change = fc.oneof(
  fc.record({ control: fc.constantFrom('a', 'b', 'c', 'd'), value: fc.integer({ max: 1e6 }).map(String) }),
  fc.record({ load15: fc.integer({ min: 1, max: 1e6 }) }),
);
const visit = fc.record({
  changes: fc.array(change, { maxLength: 8 }),
  /** What comes is stored, or lost with the link. */
  isStored: fc.boolean(),
  isLive: fc.boolean(),
});

test('a reader that is cut again and again, and goes on where it stored up to, has every measurement once and every value', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(visit, { maxLength: 8 }), async (visits) => {
      const log = new TelemetryLog({ quietMs: 0, liveMs: 0 });
      const measured: number[] = [];
      const set = new Map<string, string>();
      const heard: number[] = [];
      const known = new Map<string, string>();
      let offset = 0;
      // The last time nothing is lost.
      for (const { changes, isStored, isLive } of [
        ...visits,
        { changes: [], isStored: true, isLive: false },
      ]) {
        for (const each of changes) {
          if ('load15' in each) {
            log.addSample(each);
            measured.push(each.load15);
          } else {
            log.put(each.control, value(each.control, each.value));
            set.set(each.control, each.value);
          }
        }
        const { entries } = await readNow(log, { streamId: log.streamId, offset, isLive });
        if (!isStored) continue;
        for (const entry of entries) {
          expect(entry.offset).toBeGreaterThan(offset);
          offset = entry.offset;
          if ('metrics' in entry) heard.push(entry.metrics.load15 ?? 0);
          else if ('value' in entry) known.set(entry.control, entry.value);
        }
      }
      expect(heard).toEqual(measured);
      expect(Object.fromEntries(known)).toEqual(Object.fromEntries(set));
    }),
  );
});
