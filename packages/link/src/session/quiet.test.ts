import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { turn } from '../testing/session-pair.ts';
import { Wire } from '../testing/wire.ts';
import { HEADER_BYTES } from './frames.ts';
import { Session } from './session.ts';
import type { SessionStream } from './session-stream.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const priority = 1;

test('what is said at the occasion of a ping goes with it in one write', async () => {
  const wire = new Wire(() => 0);
  let telling: SessionStream | undefined;
  const cloud = new Session({});
  const device = new Session({
    pingIntervalMs: 39_000,
    onStream(stream) {
      stream.connectNow();
      stream.write('200\n');
      telling = stream;
    },
    // As the agent's telemetry does it: not before others have had their turn.
    onQuiet: () => void Promise.resolve().then(() => telling?.write('measured')),
  });
  device.attach(wire.b, false);
  cloud.attach(wire.a, false);
  const stream = cloud.open('telemetry', priority, () => stream.connectNow());
  stream.resume();
  const relay = async () => {
    for (let count = 0; count < 20; count += 1) {
      for (const [from, to] of [
        [wire.a, wire.b],
        [wire.b, wire.a],
      ] as const)
        for (const chunk of from.sent.splice(0)) to.arrive(chunk);
      await turn();
    }
  };
  await relay();
  vi.advanceTimersByTime(2_000);
  await relay();
  const before = wire.b.bytesWritten;

  vi.advanceTimersByTime(39_000);
  await turn();
  expect(wire.b.sent.map((chunk) => chunk.length)).toEqual([2 * HEADER_BYTES + 'measured'.length]);
  expect(wire.b.bytesWritten - before).toBe(2 * HEADER_BYTES + 'measured'.length);

  for (const chunk of wire.b.sent.splice(0)) wire.a.arrive(chunk);
  await turn();
  // Its answer, and with it that the bytes have come.
  expect(wire.a.sent.map((chunk) => chunk.length)).toEqual([HEADER_BYTES + HEADER_BYTES + 6]);
  cloud.close('transport');
  device.close('transport');
});
