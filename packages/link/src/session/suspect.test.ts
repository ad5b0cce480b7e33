import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createRandom, Wire } from '../testing/wire.ts';
import { Session } from './session.ts';
import type { SessionStream } from './session-stream.ts';
import { priorities } from './stream-route.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const stepMs = 10;

function fill(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + (at >> 8)) & 0xff;
  return bytes;
}

/**
 * Two ends whose wires fall silent without a word. The device dials as an agent does: what it asks for comes after a while, or
 * does not.
 */
class Line {
  readonly cloud = new Session({ resumeMs: 120_000, endsFloods: true, onWaiting: () => this.#noteWaiting() });
  readonly device: Session;
  readonly wires: Wire[] = [];
  /** Each time that one end had no connection. */
  waits = 0;
  dials = 0;
  /** Whether the dials that follow come through. */
  isReachable = true;
  #number = 0;
  #due: number | undefined;
  readonly #random: (limit: number) => number;

  constructor(random: (limit: number) => number) {
    this.#random = random;
    this.device = new Session({
      resumeMs: 120_000,
      onStream(stream) {
        stream.write('200\n');
        stream.connectNow();
        stream.pipe(stream);
      },
      dialBulk: () => this.#dial(),
      onWaiting: () => this.#noteWaiting(),
    });
    const wire = this.#addWire();
    this.cloud.attach(wire.a, false);
    this.device.attach(wire.b, false);
  }

  #noteWaiting(): void {
    this.waits += 1;
  }

  #addWire(): Wire {
    const wire = new Wire(this.#random);
    this.wires.push(wire);
    return wire;
  }

  #dial(): boolean {
    if (this.#due !== undefined) return true;
    this.dials += 1;
    this.#due = performance.now() + 100 + this.#random(2_000);
    return true;
  }

  /** Those that there are, or the newest alone, without a word to either end. */
  silence(ways: { a: boolean; b: boolean }, isNewestAlone = false): void {
    for (const wire of isNewestAlone ? this.wires.slice(-1) : this.wires) Object.assign(wire.silent, ways);
  }

  /** What has waited in all of them goes on. */
  resume(): void {
    for (const { silent } of this.wires) Object.assign(silent, { a: false, b: false });
  }

  async run(steps: number): Promise<void> {
    for (let step = 0; step < steps; step += 1) {
      if (this.#due !== undefined && performance.now() >= this.#due) this.#connect();
      this.#comeBack();
      for (const wire of this.wires) {
        for (let count = 0; count < 8; count += 1) wire.step();
        // An end of one is heard at the other, unless the wire is silent.
        const { a, b, silent } = wire;
        if (a.destroyed && !silent.a && a.sent.length === 0) b.destroy();
        if (b.destroyed && !silent.b && b.sent.length === 0) a.destroy();
      }
      await turn();
      vi.advanceTimersByTime(stepMs);
    }
  }

  #connect(): void {
    this.#due = undefined;
    if (!this.isReachable || this.device.isWaiting) return;
    const wire = this.#addWire();
    this.#number += 1;
    this.cloud.addBulk(wire.a, this.#number);
    this.device.addBulk(wire.b, this.#number);
  }

  /** Without any connection the device dials for everything. */
  #comeBack(): void {
    if (!this.device.isWaiting || !this.isReachable) return;
    const wire = this.#addWire();
    this.#number += 1;
    this.cloud.attach(wire.a, true, this.#number);
    this.device.attach(wire.b, true, this.#number);
  }

  echo(bytes: Buffer) {
    const stream: SessionStream = this.cloud.open('echo', priorities.page, () => stream.connectNow());
    const hash = createHash('sha256');
    const expected = createHash('sha256').update(bytes).digest('hex');
    const result = { isDone: false, isSame: false, error: undefined as Error | undefined };
    stream.on('data', (chunk: Buffer) => hash.update(chunk));
    stream.on('end', () => Object.assign(result, { isDone: true, isSame: hash.digest('hex') === expected }));
    stream.on('error', (error) => Object.assign(result, { isDone: true, error }));
    stream.end(bytes);
    return result;
  }

  close(): void {
    this.cloud.close('transport');
    this.device.close('transport');
  }
}

const bothWays = { a: true, b: true };
const ways = [bothWays, { a: true, b: false }, { a: false, b: true }];

test.each(ways)(
  'a connection that falls silent under load is left for a second one, and no end waits (%o)',
  async (way) => {
    const line = new Line(createRandom(3));
    const echoed = line.echo(fill(400_000));
    await line.run(60);
    expect(echoed.isDone).toBe(false);
    line.silence(way);
    const silentAt = performance.now();
    for (let steps = 0; steps < 5_000 && !echoed.isDone; steps += 1) await line.run(1);
    expect(echoed).toEqual({ isDone: true, isSame: true, error: undefined });
    expect(line.dials).toBe(1);
    expect(line.waits).toBe(0);
    // The old one is closed at both ends by a word over the new one.
    expect(line.wires[0]?.a.destroyed).toBe(true);
    expect(line.wires[0]?.b.destroyed).toBe(true);
    expect(performance.now() - silentAt).toBeLessThan(20_000);
    line.close();
  },
  120_000,
);

test('a suspect connection that goes on first keeps everything, and the second one is closed', async () => {
  const line = new Line(createRandom(5));
  // So it knows that the line is short.
  await line.run(30);
  const echoed = line.echo(fill(400_000));
  await line.run(60);
  line.silence(bothWays);
  while (line.dials === 0) await line.run(1);
  line.resume();
  await line.run(400);
  expect(line.wires).toHaveLength(2);
  expect(line.wires[0]?.a.destroyed).toBe(false);
  expect(line.wires[1]?.a.destroyed).toBe(true);
  expect(line.waits).toBe(0);
  for (let steps = 0; steps < 5_000 && !echoed.isDone; steps += 1) await line.run(1);
  expect(echoed).toEqual({ isDone: true, isSame: true, error: undefined });
  line.close();
});

test('an idle connection is not suspect', async () => {
  const line = new Line(createRandom(7));
  await line.run(100);
  line.silence(bothWays);
  await line.run(3_500);
  expect(line.dials).toBe(0);
  line.close();
});

/** What becomes of the wires. */
const events = {
  silenceBoth: (line: Line) => line.silence(bothWays),
  silenceToDevice: (line: Line) => line.silence({ a: true, b: false }),
  silenceToCloud: (line: Line) => line.silence({ a: false, b: true }),
  silenceNewest: (line: Line) => line.silence(bothWays, true),
  resume: (line: Line) => line.resume(),
  wantSecond: (line: Line) => void line.device.onWantBulk(),
  cutOff(line: Line) {
    line.isReachable = false;
    line.silence(bothWays);
  },
  bringBack(line: Line) {
    line.isReachable = true;
  },
};
const eventNames = Object.keys(events) as (keyof typeof events)[];

test('what is written comes once, whole and in order, whichever connections fall silent and come back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 250 }), fc.constantFrom(...eventNames)), { maxLength: 10 }),
      async (seed, sizes, happenings) => {
        const line = new Line(createRandom(seed));
        const echoes = sizes.map((size) => line.echo(fill(size)));
        for (const [steps, name] of happenings) {
          await line.run(steps);
          events[name](line);
          echoes.push(line.echo(fill(steps * 100)));
        }
        line.isReachable = true;
        line.resume();
        for (let steps = 0; steps < 20_000 && !echoes.every(({ isDone }) => isDone); steps += 1)
          await line.run(1);
        for (const echoed of echoes) expect(echoed).toEqual({ isDone: true, isSame: true, error: undefined });
        line.close();
      },
    ),
  );
}, 240_000);
