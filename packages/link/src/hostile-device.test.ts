import { expect, test } from 'vitest';
import {
  formatHeader,
  formatOffset,
  formatResume,
  formatText,
  frameFlags,
  frameTypes,
} from './session/frames.ts';
import { acceptDevice, sampleInfo } from './testing/link-pair.ts';
import { acceptFrame, dataFrame, readRequests } from './testing/raw-device.ts';

/** A device that answers each request with whatever the test likes. */
async function connectHostile(answer: (streamId: number, write: (...frames: Buffer[]) => void) => void) {
  const { socket, cloud } = await acceptDevice({ cloud: { answerTimeoutMs: 2000, serviceTimeoutMs: 2000 } });
  readRequests(socket, (streamId) =>
    answer(streamId, (...frames) => void socket.write(Buffer.concat(frames))),
  );
  return { cloud, socket };
}

test('an endless answer is cut after its limit', async () => {
  const { socket, cloud } = await acceptDevice();
  const spaces = (streamId: number) => void socket.write(dataFrame(streamId, Buffer.alloc(8_000, ' ')));
  readRequests(
    socket,
    (streamId) => {
      socket.write(acceptFrame(streamId));
      spaces(streamId);
      spaces(streamId);
    },
    spaces,
  );
  await expect(cloud.getInfo()).rejects.toMatchObject({ code: 'bad_answer' });
  expect(await cloud.closed).toBe('protocol');
  expect(cloud.bytesIn).toBeLessThan(100_000);
});

test.each([
  ['no JSON', '<html>'],
  ['an empty answer', ''],
  ['a wrong type', JSON.stringify({ ...sampleInfo, uptimeSeconds: 'long' })],
  ['a control character', JSON.stringify({ ...sampleInfo, model: '\u001b]0;owned' })],
  ['a long field', JSON.stringify({ ...sampleInfo, firmwareVersion: 'x'.repeat(65) })],
  ['a foreign serial', JSON.stringify({ ...sampleInfo, serialNumber: 'a.b' })],
])('%s about itself ends the link', async (_what, body) => {
  const { cloud } = await connectHostile((streamId, write) => write(acceptFrame(streamId, body, true)));
  await expect(cloud.getInfo()).rejects.toMatchObject({ code: 'bad_answer' });
  expect(await cloud.closed).toBe('protocol');
});

test('an endless first line is a refusal of that stream only', async () => {
  let isHonest = false;
  const { cloud } = await connectHostile((streamId, write) => {
    if (isHonest) write(acceptFrame(streamId, JSON.stringify(sampleInfo), true));
    else write(dataFrame(streamId, '2'.repeat(3000)));
  });
  await expect(cloud.openService('http')).rejects.toMatchObject({ code: 'bad_answer' });
  isHonest = true;
  expect(await cloud.getInfo()).toEqual(sampleInfo);
});

test.each(['', '100', '200 and more', '2000', 'HTTP/1.1 200 OK', '\u0000'])(
  'the answer %j is no more than it says',
  async (line) => {
    const { cloud } = await connectHostile((streamId, write) => write(dataFrame(streamId, `${line}\n`)));
    const opening = cloud.openService('http');
    if (line === '200 and more') await expect(opening).resolves.toBeDefined();
    else await expect(opening).rejects.toMatchObject({ code: 'service_refused' });
  },
);

test('a long reason of a refusal is shortened', async () => {
  const { cloud } = await connectHostile((streamId, write) =>
    write(dataFrame(streamId, `502 ${'no '.repeat(600)}\n`)),
  );
  const error = await cloud.openService('http').catch((caught: unknown) => caught);
  expect(error).toMatchObject({ code: 'service_refused' });
  expect((error as { reason: string }).reason.length).toBeLessThanOrEqual(200);
});

test('an answer that ends within its first line is a cut', async () => {
  const { cloud } = await connectHostile((streamId, write) =>
    write(dataFrame(streamId, '20', frameFlags.end)),
  );
  await expect(cloud.openService('http')).rejects.toMatchObject({ code: 'service_reset' });
});

const offset = (type: number, streamId: number, value: number) => formatOffset(type, streamId, value);

test.each<[string, (streamId: number) => Buffer[]]>([
  ['bytes of another protocol', () => [Buffer.from('HTTP/1.1 200 OK\r\n\r\n'.repeat(10))]],
  ['an unknown type', () => [formatHeader(99, 0, 0, 0)]],
  ['another version', () => [Buffer.from([1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0])]],
  ['a frame over the limit', (id) => [formatHeader(frameTypes.data, 0, id, 1 << 20)]],
  ['unknown flags', (id) => [formatHeader(frameTypes.data, 64, id, 0)]],
  ['an offset of another length', (id) => [formatHeader(frameTypes.credit, 0, id, 8), Buffer.alloc(8)]],
  ['a long goodbye', () => [formatText(frameTypes.goodbye, 'x'.repeat(65))]],
  ['a stream opened by the device', () => [dataFrame(7, 'GET /\n', frameFlags.open)]],
  ['data of no stream', () => [dataFrame(99, 'x')]],
  ['a position of no stream', () => [offset(frameTypes.position, 99, 0)]],
  ['a position beyond what came', (id) => [offset(frameTypes.position, id, 5)]],
  ['data beyond the credit', (id) => [acceptFrame(id), dataFrame(id, Buffer.alloc(20_000))]],
  ['data behind an end', (id) => [acceptFrame(id, '', true), dataFrame(id, 'x')]],
  ['an acknowledgement of what was not sent', () => [offset(frameTypes.acknowledgement, 0, 1 << 20)]],
  [
    'an acknowledgement of less than before',
    () => [offset(frameTypes.acknowledgement, 0, 12), offset(frameTypes.acknowledgement, 0, 11)],
  ],
  ['a credit of terabytes', (id) => [offset(frameTypes.credit, id, 2 ** 47)]],
  ['a resumption of what was never cut', () => [formatResume(1, [])]],
])('%s ends the link, and no other', async (_what, attack) => {
  const other = await connectHostile((streamId, write) =>
    write(acceptFrame(streamId, JSON.stringify(sampleInfo), true)),
  );
  const { cloud } = await connectHostile((streamId, write) => write(...attack(streamId)));
  const stream = cloud.open('http');
  stream.on('error', () => {});
  expect(await cloud.closed).toBe('protocol');
  expect(stream.destroyed).toBe(true);
  expect(await other.cloud.getInfo()).toEqual(sampleInfo);
});

test.each<[string, (streamId: number) => Buffer]>([
  ['pings', () => formatHeader(frameTypes.ping, 0, 0, 1)],
  ['answers to no ping', () => formatHeader(frameTypes.ping, frameFlags.answer, 0, 77)],
  ['frames without data', (id) => formatHeader(frameTypes.data, 0, id, 0)],
  ['positions', (id) => offset(frameTypes.position, id, 0)],
  ['credits', (id) => offset(frameTypes.credit, id, 20_000)],
  ['acknowledgements of nothing', () => offset(frameTypes.acknowledgement, 0, 0)],
  ['resets of no stream', () => formatHeader(frameTypes.reset, 0, 0, 0)],
])('%s without end are a flood', async (_what, frame) => {
  const { cloud } = await connectHostile((streamId, write) => {
    const many = Buffer.concat(Array.from({ length: 5_000 }, () => frame(streamId)));
    for (let round = 0; round < 100; round += 1) write(many);
  });
  const stream = cloud.open('http');
  stream.on('error', () => {});
  stream.resume();
  expect(await cloud.closed).toBe('flood');
});
