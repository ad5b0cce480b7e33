import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Pair, turn } from '../testing/session-pair.ts';
import { createRandom } from '../testing/wire.ts';
import type { SessionStream } from './session-stream.ts';
import { SharedMemory } from './shared-memory.ts';

/** Reads a stream that sends back what it gets, and compares. */
function echo(pair: Pair, name: string, bytes: Buffer) {
  const stream = pair.open(name);
  const hash = createHash('sha256');
  const result = { bytes: 0, hasEnded: false, error: undefined as Error | undefined, isSame: () => isSame };
  let isSame = false;
  stream.on('data', (chunk: Buffer) => {
    hash.update(chunk);
    result.bytes += chunk.length;
  });
  stream.on('end', () => {
    result.hasEnded = true;
    isSame = hash.digest('hex') === createHash('sha256').update(bytes).digest('hex');
  });
  stream.on('error', (error) => {
    result.error = error;
  });
  stream.end(bytes);
  return result;
}

function fill(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + seed * 17 + (at >> 8)) & 0xff;
  return bytes;
}

const sendBack = (stream: SessionStream) => stream.pipe(stream);

/** What happens to the connections of a session. */
const events = {
  addBulk: (pair: Pair) => pair.addBulk(),
  breakBulk: (pair: Pair) => pair.breakBulk(),
  breakMain(pair: Pair) {
    if (pair.hasBulk) pair.breakMain();
  },
  endMainAtCloud(pair: Pair) {
    if (pair.hasBulk) pair.endMainAt('cloud');
  },
  endMainAtDevice(pair: Pair) {
    if (pair.hasBulk) pair.endMainAt('device');
  },
  /** Both within a moment. */
  breakOneAfterTheOther(pair: Pair) {
    if (!pair.hasBulk) return;
    pair.breakMain();
    pair.addBulk();
    if (pair.hasBulk) pair.breakMain();
  },
  async breakAll(pair: Pair) {
    pair.break();
    await turn();
    pair.mend();
  },
};
const eventNames = Object.keys(events) as (keyof typeof events)[];

test('what is written comes once, whole and in order, whichever of two connections come and go', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 5 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.constantFrom(...eventNames)), { maxLength: 14 }),
      async (seed, sizes, happenings) => {
        const memory = new SharedMemory(64 * 1024 * 1024);
        const pair = new Pair(createRandom(seed), sendBack, { memory });
        const streams = sizes.map((size, index) => echo(pair, `echo ${index}`, fill(size, index)));
        for (const [steps, name] of happenings) {
          await pair.run(steps);
          await events[name](pair);
          streams.push(echo(pair, name, fill(steps * 100, steps)));
        }
        await pair.runUntil(() => streams.every(({ hasEnded, error }) => hasEnded || error));
        for (const stream of streams) {
          expect(stream.error).toBeUndefined();
          expect(stream.isSame()).toBe(true);
        }
        pair.cloud.close('transport');
        pair.device.close('transport');
        expect(memory.taken).toBe(0);
      },
    ),
  );
}, 120_000);

/** How an end is done with a stream. */
const cuts = {
  cut: (stream: SessionStream) => stream.destroy(),
  /** Its last bytes are still owed. */
  endAndCut: (stream: SessionStream) => stream.unpipe().end('last').destroy(),
};
const cutNames = Object.keys(cuts) as (keyof typeof cuts)[];

test('a stream that one end has cut ends at the other, whichever of two connections come and go', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(fc.integer({ min: 0, max: 300_000 }), { minLength: 1, maxLength: 5 }),
      fc.array(
        fc.tuple(
          fc.integer({ min: 0, max: 30 }),
          fc.constantFrom('cloud' as const, 'device' as const),
          fc.nat(4),
          fc.constantFrom(...cutNames),
          fc.option(fc.constantFrom(...eventNames)),
        ),
        { minLength: 1, maxLength: 12 },
      ),
      async (seed, sizes, happenings) => {
        const accepted: SessionStream[] = [];
        const pair = new Pair(createRandom(seed), (stream) => {
          accepted.push(sendBack(stream));
        });
        const opened = sizes.map((_size, index) => pair.open(`open ${index}`).resume());
        for (const [index, stream] of opened.entries()) {
          stream.on('error', () => {});
          stream.write(fill(sizes[index] ?? 0, index));
        }
        for (const [steps, end, index, cut, event] of happenings) {
          await pair.run(steps);
          const stream = (end === 'cloud' ? opened : accepted)[index];
          if (stream && !stream.destroyed) cuts[cut](stream);
          if (event) await events[event](pair);
        }
        for (const stream of opened) stream.end();
        await pair.runUntil(() => [...opened, ...accepted].every(({ destroyed }) => destroyed));
      },
    ),
    {
      examples: [
        // Bytes that came for a closed stream were acknowledged and not counted.
        [
          454943122,
          [2898, 1449, 3413, 16377],
          [
            [25, 'cloud', 0, 'cut', 'breakAll'],
            [1, 'cloud', 2, 'endAndCut', null],
            [0, 'cloud', 0, 'cut', 'addBulk'],
            [3, 'cloud', 1, 'cut', null],
            [28, 'cloud', 0, 'cut', 'breakMain'],
            [0, 'cloud', 0, 'cut', null],
          ],
        ],
        // The only connection that both ends had was taken for the second one by the test, and broken.
        [
          0,
          [0],
          [
            [0, 'cloud', 1, 'cut', 'addBulk'],
            [0, 'cloud', 1, 'cut', 'endMainAtCloud'],
            [0, 'device', 0, 'cut', 'addBulk'],
            [0, 'cloud', 1, 'cut', 'breakBulk'],
            [0, 'cloud', 1, 'cut', null],
          ],
        ],
        // Each end said what it holds over a connection that the other had ended.
        [
          0,
          [0],
          [
            [0, 'device', 0, 'cut', 'addBulk'],
            [0, 'cloud', 1, 'cut', 'endMainAtDevice'],
            [1, 'cloud', 1, 'cut', null],
            [0, 'cloud', 1, 'cut', 'addBulk'],
          ],
        ],
      ],
    },
  );
}, 120_000);

/** A device that sends a lot as soon as it is asked, whose keys are echoed. */
async function download(size = 3_000_000) {
  const pair = new Pair(createRandom(11), (stream, line) => {
    if (line === 'bulk') stream.end(fill(size, 1));
    else sendBack(stream);
  });
  const bulk = pair.open('bulk');
  const got = { bytes: 0 };
  bulk.on('data', (chunk: Buffer) => {
    got.bytes += chunk.length;
  });
  bulk.on('error', () => {});
  await pair.runUntil(() => got.bytes > 200_000);
  return { pair, bulk, got };
}

test('bulk goes over to the second connection, and keys stay on the first', async () => {
  const { pair, got } = await download();
  pair.addBulk();
  await pair.run(50);
  const [main, second] = pair.count();
  await pair.run(100);
  const keys = echo(pair, 'keys', Buffer.from('x'));
  await pair.runUntil(() => keys.hasEnded);
  const [mainAfter, secondAfter] = pair.count();
  expect(mainAfter - main).toBeLessThan(20_000);
  expect(secondAfter - second).toBeGreaterThan(100_000);
  await pair.runUntil(() => got.bytes === 3_000_000);
});

test('the second connection is the first one at once when that ends, and the session never waits', async () => {
  const waits: boolean[] = [];
  const { pair, got } = await download();
  pair.addBulk();
  await pair.run(50);
  pair.breakMain();
  waits.push(pair.cloud.isWaiting, pair.device.isWaiting);
  const later = echo(pair, 'later', fill(100_000, 2));
  await pair.runUntil(() => later.hasEnded && got.bytes === 3_000_000);
  expect(waits).toEqual([false, false]);
  expect(later.isSame()).toBe(true);
});

test('an end that has not seen the first connection end is told so over the second', async () => {
  const { pair, got } = await download();
  pair.addBulk();
  await pair.run(50);
  pair.endMainAt('device');
  expect(pair.hasMainAtCloud).toBe(true);
  await pair.runUntil(() => !pair.hasMainAtCloud);
  await pair.runUntil(() => got.bytes === 3_000_000);
});

test('a word of the second connection that is lost with the first one is said anew over the next', async () => {
  const pair = new Pair(createRandom(0), sendBack);
  const first = echo(pair, 'first', fill(8094, 1));
  pair.addBulk();
  await pair.run(13);
  pair.addBulk();
  pair.endMainAt('cloud');
  const later = echo(pair, 'later', fill(900, 2));
  await pair.runUntil(() => first.hasEnded && later.hasEnded);
  expect([first.isSame(), later.isSame()]).toEqual([true, true]);
});

test('a writer and a reader that stop leave both connections to others', async () => {
  const { pair, bulk } = await download();
  pair.addBulk();
  await pair.run(50);
  bulk.pause();
  await pair.run(100);
  const other = echo(pair, 'other', fill(400_000, 3));
  await pair.runUntil(() => other.hasEnded);
  expect(other.isSame()).toBe(true);
  expect(bulk.unreadBytes).toBeLessThan(1_000_000);
});

test('a second connection without bulk for 30 s is closed by the device, and what comes later goes over the first', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    const { pair, got } = await download();
    pair.addBulk();
    await pair.runUntil(() => got.bytes === 3_000_000);
    const pass = async (seconds: number) => {
      for (let half = 0; half < 2 * seconds; half += 1) {
        await pair.run(5);
        vi.advanceTimersByTime(500);
      }
    };
    await pass(29);
    expect(pair.isBulkOpen).toBe(true);
    await pass(2);
    expect(pair.isBulkOpen).toBe(false);
    const later = echo(pair, 'later', fill(200_000, 2));
    await pair.runUntil(() => later.hasEnded);
    expect(later.isSame()).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('a device dials for its own bulk, and a server asks it to, on a long line', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  try {
    for (const direction of ['up', 'down']) {
      const pair = new Pair(createRandom(12), (stream) => {
        if (direction === 'down') stream.end(fill(2_000_000, 1));
        else stream.resume();
      });
      const stream = pair.open('bulk').resume();
      stream.on('error', () => {});
      if (direction === 'up') stream.write(fill(2_000_000, 1));
      for (let step = 0; step < 400 && pair.dials.length === 0; step += 1) {
        vi.advanceTimersByTime(100);
        await pair.run(1);
      }
      expect(pair.dials).toHaveLength(1);
    }
  } finally {
    vi.useRealTimers();
  }
});
