import { expect, test } from 'vitest';
import { START_WINDOW } from './session/inbox.ts';
import { createLinkPair } from './testing/link-pair.ts';
import { countBytes, createService, writeBytes } from './testing/services.ts';

const STALLED = 12;
const BUFFERS = 1 << 20;

test('stalled downloads neither starve another nor pass their windows', async () => {
  const { cloud } = await createLinkPair({
    handlers: await createService((socket) => writeBytes(socket, 64 << 20)),
  });
  const stalled = await Promise.all(Array.from({ length: STALLED }, () => cloud.openService('http')));
  await expectStanding(() => cloud.bytesIn);
  const held = cloud.bytesIn;
  // Each has its first window, and what its own buffer holds.
  expect(held).toBeLessThanOrEqual(STALLED * 3 * START_WINDOW);

  const active = await cloud.openService('http');
  active.end();
  expect(await countBytes(active)).toBe(64 << 20);
  expect(cloud.bytesIn - held).toBeLessThan((64 << 20) + STALLED * BUFFERS);

  const [first] = stalled;
  first?.end();
  expect(first && (await countBytes(first))).toBe(64 << 20);
  for (const stream of stalled) stream.destroy();
});

test('a service that does not read holds the sender back', async () => {
  let isFirst = true;
  const { cloud } = await createLinkPair({
    handlers: await createService((socket) => {
      if (isFirst) socket.pause();
      else socket.pipe(socket);
      isFirst = false;
    }),
  });
  const stalled = await cloud.openService('http');
  writeBytes(stalled, 256 << 20);
  await expectStanding(() => cloud.bytesOut);
  // What the kernel's socket buffers to the service take comes on top.
  expect(cloud.bytesOut).toBeLessThan(START_WINDOW + (16 << 20));

  const active = await cloud.openService('http');
  writeBytes(active, 16 << 20);
  expect(await countBytes(active)).toBe(16 << 20);
  stalled.destroy();
});

/** Waits until the count has not moved for ten looks in a row. */
async function expectStanding(getCount: () => number): Promise<void> {
  let last = -1;
  let looks = 0;
  await expect
    .poll(
      () => {
        const count = getCount();
        looks = count === last && count > 0 ? looks + 1 : 0;
        last = count;
        return looks;
      },
      { interval: 20, timeout: 20_000 },
    )
    .toBeGreaterThanOrEqual(10);
}
