import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, it } from 'vitest';
import {
  createUpdatedAgent,
  type UpdatedAgent,
} from '../../../apps/server/src/features/agent-updates/kills.fixture.ts';

/** More of them by hand: `UPDATE_KILLS=100`, with a `UPDATE_KILL_SEED` that was printed. */
const kills = Number(process.env.UPDATE_KILLS ?? 20);
const seed = Number(process.env.UPDATE_KILL_SEED ?? randomInt(2 ** 31));
/** Long enough for all that an update does on a busy machine: sending, storing, the new start, its link. */
const longestMs = 4000;

/** Numbers between 0 and 1 that follow from the seed (mulberry32). */
function createRandom(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

let updated: UpdatedAgent;
beforeAll(async () => {
  updated = await createUpdatedAgent();
});
afterAll(() => updated?.close());

it(
  'an agent that is killed at any moment of an update runs and links again',
  async () => {
    // For whoever wants the same moments again.
    process.stdout.write(`${kills} kills, UPDATE_KILL_SEED=${seed}\n`);
    const random = createRandom(seed);
    /** How updates stood when they were hit: all in one state would mean that the moments are not random. */
    const ended = new Map<string, number>();
    for (let kill = 0; kill < kills; kill += 1) {
      const before = await updated.requestUpdate();
      if (before) ended.set(before, (ended.get(before) ?? 0) + 1);
      await new Promise((resolve) => setTimeout(resolve, random() * longestMs));
      // A power cut takes all of them at once; the killer of a full memory takes one.
      await updated.kill(random() < 0.5 ? 'all' : random());
    }
    process.stdout.write(`updates as they were hit: ${JSON.stringify([...ended])}\n`);
    await updated.expectWell();
  },
  Math.max(120_000, kills * 15_000),
);
