import { expect, onTestFinished, test } from 'vitest';
import { acceptFrame, dataFrame } from '../testing/raw-device.ts';
import { turn } from '../testing/session-pair.ts';
import { createRandom, Wire } from '../testing/wire.ts';
import { formatHeader, formatOffset, formatResume, frameTypes } from './frames.ts';
import { Session } from './session.ts';
import { priorities } from './stream-route.ts';

/** The cloud's end of a session with two connections, whose other end is the test. */
async function openCloud() {
  const session = new Session({ endsFloods: true, resumeMs: 10_000 });
  onTestFinished(() => session.close('transport'));
  const main = new Wire(createRandom(1)).a;
  const bulk = new Wire(createRandom(2)).a;
  session.attach(main, false, 0);
  session.addBulk(bulk, 1);
  const stream = session.open('x', priorities.page, () => stream.connectNow());
  stream.on('error', () => {});
  await turn();
  const arrive = async (wire: typeof main, ...frames: Buffer[]) => {
    wire.arrive(Buffer.concat(frames));
    await turn();
    await turn();
  };
  await arrive(main, acceptFrame(1, 'four'));
  return { session, main, bulk, stream, arrive };
}

const take = (number: number) => formatHeader(frameTypes.take, 0, number, 0);
const position = (streamId: number, offset: number) => formatOffset(frameTypes.position, streamId, offset);
const held = (received: number) => formatResume(1, [{ streamId: 1, received, credit: 16_384 }]);

test.each<[string, Buffer[]]>([
  ['a position of a stream that nobody opened', [position(2, 0)]],
  ['data of a stream that nobody opened', [dataFrame(2, 'x')]],
  ['a position beyond what has come', [position(1, 9)]],
  ['data without a position, of a stream that has begun elsewhere', [dataFrame(1, 'x')]],
  ['a word that the very connection is gone', [take(1), held(0)]],
  ['a word that a connection is gone, without what is held', [take(0), dataFrame(1, 'x')]],
  ['what is held, without a word that a connection is gone', [held(0)]],
  ['to hold more than was sent', [take(0), held(3)]],
  ['to ask for a connection, which only the device can dial', [formatHeader(frameTypes.wantBulk, 0, 0, 0)]],
  ['to take what never was, again and again', Array.from({ length: 9 }, () => [take(77), held(2)]).flat()],
])('a device that says on its second connection: %s, ends its session', async (_what, frames) => {
  const cloud = await openCloud();
  await cloud.arrive(cloud.bulk, ...frames);
  expect(await cloud.session.closed).toBe('protocol');
  expect(cloud.main.destroyed && cloud.bulk.destroyed).toBe(true);
});

test('what has come on the first connection goes by when it comes again on the second', async () => {
  const cloud = await openCloud();
  await cloud.arrive(cloud.bulk, position(1, 6), dataFrame(1, 'ur and five'));
  expect(String(cloud.stream.read())).toBe('four and five');
});

test('a connection with a number that was overtaken is closed, and the session goes on', async () => {
  const cloud = await openCloud();
  const late = [new Wire(createRandom(3)).a, new Wire(createRandom(4)).a] as const;
  cloud.session.addBulk(late[0], 1);
  cloud.session.attach(late[1], true, 0);
  expect(late.map(({ destroyed }) => destroyed)).toEqual([true, true]);
  expect([cloud.main, cloud.bulk].map(({ destroyed }) => destroyed)).toEqual([false, false]);
  await cloud.arrive(cloud.main, dataFrame(1, 'more'));
  expect(String(cloud.stream.read())).toBe('fourmore');
});

test('a thousand second connections leave one', async () => {
  const cloud = await openCloud();
  const wires = Array.from({ length: 1000 }, () => new Wire(createRandom(5)).a);
  for (const [index, wire] of wires.entries()) cloud.session.addBulk(wire, index + 2);
  await turn();
  expect(wires.filter(({ destroyed }) => !destroyed)).toEqual([wires[999]]);
  expect(cloud.main.destroyed).toBe(false);
});
