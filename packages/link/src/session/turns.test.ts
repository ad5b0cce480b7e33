import { expect, test } from 'vitest';
import { turn } from '../testing/session-pair.ts';
import { Wire } from '../testing/wire.ts';
import { formatGoodbye, formatHeader, type Goodbye, HEADER_BYTES } from './frames.ts';
import { Session } from './session.ts';

test('frames of a peer that come at once are read a few at a time, so that others have their turn between', async () => {
  const goodbyes: Goodbye[] = [];
  const cloud = new Session({ endsFloods: true, onGoodbye: (goodbye) => goodbyes.push(goodbye) });
  const wire = new Wire(() => 0);
  cloud.attach(wire.a, false);
  await turn();
  const before = wire.a.bytesWritten;
  const answered = () => (wire.a.bytesWritten - before) / HEADER_BYTES;
  const pings = Buffer.concat(Array.from({ length: 2_000 }, (_, number) => formatHeader(2, 0, 0, number)));
  // Cut within a frame, and something of another kind behind it.
  wire.a.arrive(pings.subarray(0, 20_005));
  wire.a.arrive(Buffer.concat([pings.subarray(20_005), formatGoodbye({ reason: 'shutdown', graceMs: 5 })]));
  let turns = 0;
  for (let last = answered(); answered() < 2_000; last = answered()) {
    await turn();
    expect(answered() - last).toBeLessThanOrEqual(512);
    // What is behind the last pings is read with them at the earliest, and their answers go a moment later.
    if (answered() < 2_000 - 512) expect(goodbyes).toEqual([]);
    turns += 1;
    expect(turns).toBeLessThan(100);
  }
  expect(turns).toBeGreaterThanOrEqual(4);
  expect(goodbyes).toEqual([{ reason: 'shutdown', graceMs: 5 }]);
  cloud.close('transport');
});
