import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { whenConnected } from './when-connected.ts';

/** A stream whose refusal is on its way when it is looked at. */
function refused() {
  return Object.assign(new Socket(), { connecting: true }).destroy(new Error('refused'));
}

it('a refusal that nobody waits for any more ends nothing but its stream', async () => {
  await expect(whenConnected(refused(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
  // An error event without a listener would fail this test as an uncaught exception.
  await nextTurn();
});

it('a refusal is what is told to who waits for it', async () => {
  await expect(whenConnected(refused())).rejects.toThrow('refused');
});
