import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createUpdatedAgent, type UpdatedAgent } from './kills.fixture.ts';

/* At random moments: tests/release/kills/agent-updates.test.ts. */

let updated: UpdatedAgent;
beforeAll(async () => {
  updated = await createUpdatedAgent();
});
afterAll(() => updated?.close());

/** A file of the agent's slots.ts. */
const readSlot = (name: 'a.mjs' | 'next' | 'current') =>
  readFile(join(updated.agent.stateDir, 'slots', name), 'utf8').catch(() => undefined);
const waitForSlot = (name: 'a.mjs' | 'next' | 'current', before?: string) =>
  expect.poll(() => readSlot(name), { interval: 5, timeout: 20_000 }).not.toBe(before);

/** Resolves when the next process runs: the server has noticed the end of the link long before. */
async function cutPower(): Promise<void> {
  const before = updated.agent.pid;
  await updated.kill('all');
  await expect.poll(() => [undefined, before].includes(updated.agent.pid), { interval: 5 }).toBe(false);
}

it('an agent that is killed while a version comes, while it is tried, and when it has linked runs and links again', async () => {
  await updated.requestUpdate();
  await waitForSlot('a.mjs');
  await cutPower();

  await updated.requestUpdate();
  await waitForSlot('next');
  await cutPower();

  const before = await readSlot('current');
  await updated.requestUpdate();
  await waitForSlot('current', before);
  await updated.kill(0);
  await updated.expectWell();
}, 120_000);
