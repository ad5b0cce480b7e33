import { expect, test } from 'vitest';
import { START_WINDOW } from './session/inbox.ts';
import { acceptDevice } from './testing/link-pair.ts';
import { acceptFrame, dataFrame, readRequests } from './testing/raw-device.ts';

/** A link to a device that answers everything opened with so many pieces of one byte, as far as it is let. */
async function openSingleBytes(pieces: number) {
  const { socket, cloud } = await acceptDevice();
  let sent = 0;
  const sendUpTo = (streamId: number, count: number) => {
    const some = Math.min(pieces, count) - sent;
    sent += some;
    socket.write(Buffer.concat(Array.from({ length: some }, () => dataFrame(streamId, 'x'))));
  };
  readRequests(
    socket,
    (streamId) => {
      const answer = acceptFrame(streamId);
      socket.write(answer);
      sendUpTo(streamId, START_WINDOW - answer.length);
    },
    (streamId, offset) => sendUpTo(streamId, offset - acceptFrame(streamId).length),
  );
  const service = cloud.open('http');
  service.on('error', () => {});
  return { cloud, service };
}

test('single bytes that come together are read together', async () => {
  const { cloud, service } = await openSingleBytes(5_000);
  let bytes = 0;
  let reads = 0;
  service.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    reads += 1;
  });
  await expect.poll(() => bytes).toBe(5_000);
  expect(reads).toBeLessThan(50);
  cloud.close('shutdown');
});

test('single bytes of an honest device are all read, be they tens of thousands', async () => {
  const { cloud, service } = await openSingleBytes(32_000);
  let bytes = 0;
  service.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await expect.poll(() => bytes).toBe(32_000);
  cloud.close('shutdown');
  expect(await cloud.closed).toBe('shutdown');
});

test('a device that sends single bytes without end is cut off', async () => {
  const { cloud, service } = await openSingleBytes(500_000);
  service.resume();
  expect(await cloud.closed).toBe('flood');
  expect(service.errored).toMatchObject({ code: 'link_closed', reason: 'flood' });
});
