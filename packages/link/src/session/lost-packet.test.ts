import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandom, Wire } from '../testing/wire.ts';
import { Session } from './session.ts';
import { priorities } from './stream-route.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const stepMs = 5;
const oneWayMs = 100;
/** 384 kbit/s. */
const bytesAMs = 48;

/** A long line between two ends: it carries so much, after a while, and what a lost packet holds up comes at once. */
class LongLine {
  /** It has no second connection for bulk. */
  readonly device = new Session({ resumeMs: 60_000, dialBulk: () => false });
  readonly cloud: Session;
  /** Bytes that it has carried up. */
  carried = 0;
  received = 0;
  readonly #wire = new Wire(createRandom(1));
  #underway: { at: number; from: 'a' | 'b'; bytes: Buffer }[] = [];
  #heldUntil = 0;

  constructor() {
    this.cloud = new Session({
      onStream: (stream) => {
        stream.write('200\n');
        stream.connectNow();
        stream.on('data', (chunk: Buffer) => {
          this.received += chunk.length;
        });
      },
    });
    this.device.attach(this.#wire.a, false);
    this.cloud.attach(this.#wire.b, false);
  }

  /** Sends more than it can carry. */
  pour(): void {
    const stream = this.device.open('upload', priorities.bulk, () => stream.connectNow());
    const more = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(64 * 1024)));
    };
    stream.on('drain', more);
    more();
  }

  /** A packet is lost now: sent again a round trip later, and nothing behind it arrives before. */
  lose(): void {
    this.#heldUntil = performance.now() + 3 * oneWayMs;
  }

  /** Nothing is delivered any more, either way. */
  die(): void {
    this.#heldUntil = Number.POSITIVE_INFINITY;
  }

  get unsent(): number {
    return this.#wire.a.sent.reduce((sum, { length }) => sum + length, 0);
  }

  async run(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      vi.advanceTimersByTime(stepMs);
      this.#transmit('a', bytesAMs * stepMs);
      this.#transmit('b', Number.POSITIVE_INFINITY);
      const now = performance.now();
      const arrived = this.#underway.filter(
        ({ at, from }) => at <= now && (from === 'b' || now >= this.#heldUntil),
      );
      this.#underway = this.#underway.filter((piece) => !arrived.includes(piece));
      for (const { from, bytes } of arrived) this.#wire[from === 'a' ? 'b' : 'a'].arrive(bytes);
      for (let turns = 0; turns < 3; turns += 1) await turn();
    }
  }

  #transmit(from: 'a' | 'b', room: number): void {
    const { sent } = this.#wire[from];
    let left = room;
    for (let [chunk] = sent; chunk && left > 0; [chunk] = sent) {
      const bytes = chunk.subarray(0, left);
      left -= bytes.length;
      if (from === 'a') this.carried += bytes.length;
      this.#underway.push({ at: performance.now() + oneWayMs, from, bytes });
      if (bytes.length === chunk.length) sent.shift();
      else sent[0] = chunk.subarray(bytes.length);
    }
  }

  close(): void {
    this.device.close('transport');
    this.cloud.close('transport');
  }
}

test('a long line goes on carrying while a lost packet holds up what is behind it', async () => {
  const line = new LongLine();
  line.pour();
  await line.run(5_000);
  const before = line.carried;
  const ms = 6_000;
  for (let losses = 0; losses < 6; losses += 1) {
    line.lose();
    await line.run(ms / 6);
  }
  expect(line.carried - before).toBeGreaterThan(0.93 * bytesAMs * ms);
  line.close();
});

test('a line that says nothing any more is given one more of what fits on it, and no more', async () => {
  const line = new LongLine();
  line.pour();
  await line.run(15_000);
  expect(line.received).toBeGreaterThan(0);
  line.die();
  const before = line.carried + line.unsent;
  await line.run(1_400);
  const product = bytesAMs * 2 * oneWayMs;
  const given = line.carried + line.unsent - before;
  expect(given).toBeGreaterThan(0.9 * product);
  expect(given).toBeLessThan(2 * product);
  line.close();
});
