import { setImmediate as turn } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { acceptFrame } from '../testing/raw-device.ts';
import { createRandom, Wire } from '../testing/wire.ts';
import { formatOffset, frameTypes } from './frames.ts';
import { Session } from './session.ts';
import { SharedMemory } from './shared-memory.ts';
import { priorities } from './stream-route.ts';

const LIMIT = 1_000_000;

class Holder {
  kept = 0;
  released = 0;
  isWaiting = false;
  readonly #memory: SharedMemory;
  readonly giveUp = vi.fn(() => this.release(this.kept));

  constructor(memory: SharedMemory) {
    this.#memory = memory;
  }

  keep(bytes: number): this {
    this.kept += bytes;
    this.#memory.add(this, bytes);
    return this;
  }

  release(bytes: number): void {
    this.kept -= bytes;
    this.released += bytes;
    this.#memory.add(this, -bytes);
  }
}

test('the largest of those who take nothing go when the memory is spent, and nobody else', async () => {
  const memory = new SharedMemory(LIMIT);
  const [small, largest, large] = [100_000, 600_000, 250_000].map((bytes) => new Holder(memory).keep(bytes));
  const reader = new Holder(memory).keep(700_000);
  const begun = performance.now();
  reader.release(400_000);
  memory.look(begun + 9_000);
  await turn();
  expect(largest?.giveUp).not.toHaveBeenCalled();
  memory.look(begun + 10_001);
  await turn();
  expect(largest?.giveUp).toHaveBeenCalledOnce();
  for (const other of [small, large, reader]) expect(other?.giveUp).not.toHaveBeenCalled();
  expect(memory.isSpent).toBe(false);
});

test('those without a connection go first, and at once', async () => {
  const memory = new SharedMemory(LIMIT);
  const cut = new Holder(memory).keep(400_000);
  cut.isWaiting = true;
  const linked = new Holder(memory).keep(700_000);
  await turn();
  expect(cut.giveUp).toHaveBeenCalledOnce();
  expect(linked.giveUp).not.toHaveBeenCalled();
});

test('the many who ask while the memory is spent do not each have all others looked at', () => {
  const memory = new SharedMemory(LIMIT);
  const holder = new Holder(memory);
  let looks = 0;
  Object.defineProperty(holder, 'isWaiting', { get: () => ++looks < 0 });
  holder.keep(LIMIT);
  const begun = performance.now();
  for (let count = 0; count < 1000; count += 1) memory.look(begun);
  expect(looks).toBe(1);
  memory.look(begun + 1_000);
  expect(looks).toBe(2);
});

test('nobody goes while there is room', async () => {
  const memory = new SharedMemory(LIMIT);
  const holder = new Holder(memory).keep(900_000);
  holder.isWaiting = true;
  memory.look();
  memory.look(performance.now() + 100_000);
  await turn();
  expect(holder.giveUp).not.toHaveBeenCalled();
});

test('a session whose device acknowledges nothing ends with a reason where others need the memory', async () => {
  const memory = new SharedMemory(100_000);
  const wire = new Wire(createRandom(1));
  const session = new Session({ memory, endsFloods: true, resumeMs: 60_000 });
  session.attach(wire.a, false);
  const stream = session.open('x', priorities.page, () => stream.connectNow());
  const told = new Promise((resolve) => stream.once('error', resolve));
  await turn();
  wire.a.arrive(Buffer.concat([acceptFrame(1), formatOffset(frameTypes.credit, 1, 1_000_000)]));
  await turn();
  stream.write(Buffer.alloc(200_000));
  expect(memory.isSpent).toBe(true);
  memory.look(performance.now() + 10_001);
  expect(await told).toMatchObject({ code: 'link_closed', reason: 'memory' });
  wire.a.destroy();
  expect(await session.closed).toBe('memory');
  expect(memory.taken).toBe(0);
});
