import type { Duplex } from 'node:stream';
import { expect, test } from 'vitest';
import { acceptDevice } from './testing/link-pair.ts';

const frameTypes = { data: 0, headers: 1, settings: 4 } as const;
/** Its only field is `:status 200` (RFC 7541, appendix A, entry 8). */
const okHeaders = Buffer.from([0x88]);
const endHeaders = 4;
/** Long enough for the preface of the cloud's end (RFC 9113, section 3.4). */
const prefaceBytes = 24;

function frame(type: number, flags: number, streamId: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(streamId, 5);
  return Buffer.concat([head, payload]);
}

/** Calls back with the id of each stream that the cloud opens. Node's own end would put small writes into one frame. */
function serveFrames(socket: Duplex, onStream: (streamId: number) => void): void {
  let bytes = Buffer.alloc(0);
  let isGreeted = false;
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (!isGreeted && bytes.length >= prefaceBytes) {
      isGreeted = true;
      bytes = bytes.subarray(prefaceBytes);
      socket.write(frame(frameTypes.settings, 0, 0, Buffer.alloc(0)));
    }
    while (isGreeted && bytes.length >= 9 && bytes.length >= 9 + bytes.readUIntBE(0, 3)) {
      if (bytes[3] === frameTypes.headers) onStream(bytes.readUInt32BE(5));
      bytes = bytes.subarray(9 + bytes.readUIntBE(0, 3));
    }
  });
}

/** A link to a device that answers everything opened with so many pieces of one byte, in one write. */
async function openSingleBytes(pieces: number) {
  const { socket, cloud } = await acceptDevice();
  serveFrames(socket, (streamId) => {
    const piece = frame(frameTypes.data, 0, streamId, Buffer.from('x'));
    const answer = frame(frameTypes.headers, endHeaders, streamId, okHeaders);
    socket.write(Buffer.concat([answer, ...Array.from({ length: pieces }, () => piece)]));
  });
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
