import { expect, onTestFinished, test } from 'vitest';
import { acceptFrame, dataFrame } from '../testing/raw-device.ts';
import { turn } from '../testing/session-pair.ts';
import { createRandom, Wire } from '../testing/wire.ts';
import { Inbox } from './inbox.ts';
import { Session } from './session.ts';
import { priorities } from './stream-route.ts';

/** A stream of a session whose other end is the test, and what its reader was handed. */
async function openStream() {
  const wire = new Wire(createRandom(1));
  const session = new Session({});
  session.attach(wire.a, false);
  onTestFinished(() => session.close('transport'));
  const stream = session.open('x', priorities.page, () => stream.connectNow());
  stream.on('error', () => {});
  await turn();
  const pieces: string[] = [];
  stream.on('data', (piece: Buffer) => pieces.push(piece.toString('latin1')));
  wire.a.arrive(acceptFrame(1));
  await turn();
  return { session, wire, pieces, arrive: (frame: Buffer) => wire.a.arrive(frame) };
}

const letters = ['a', 'b', 'c'].map((letter) => letter.repeat(5_000));
const little = 'd'.repeat(100);

test('a reader is handed a little at once', async () => {
  const { pieces, arrive } = await openStream();
  arrive(dataFrame(1, little));
  expect(pieces).toEqual([little]);
});

test('a reader is handed what several reads of one turn have brought as one piece, in its order', async () => {
  const { pieces, arrive } = await openStream();
  arrive(dataFrame(1, 'e'.repeat(9_000)));
  arrive(dataFrame(1, 'f'.repeat(5_000)));
  arrive(dataFrame(1, little));
  expect(pieces).toEqual([]);
  await turn();
  expect(pieces).toEqual(['e'.repeat(9_000) + 'f'.repeat(5_000) + little]);
});

test.each(['transport', 'shutdown'] as const)(
  'a reader is handed what has come before a session that ends in the same turn by %s cuts it',
  async (why) => {
    const { session, pieces, arrive } = await openStream();
    arrive(Buffer.concat(letters.map((text) => dataFrame(1, text))));
    session.close(why);
    expect(pieces.join('')).toBe(letters.join(''));
  },
);

test('a reader is handed what has come before a connection that is lost in the same turn', async () => {
  const { wire, pieces, arrive } = await openStream();
  arrive(Buffer.concat(letters.map((text) => dataFrame(1, text))));
  wire.a.emit('close');
  expect(pieces.join('')).toBe(letters.join(''));
});

test('a reader that ends the session takes nothing from another one', async () => {
  const { session, pieces, arrive } = await openStream();
  const second = session.open('y', priorities.page, () => second.connectNow());
  second.on('error', () => {});
  second.once('data', () => session.close('shutdown'));
  await turn();
  arrive(acceptFrame(2));
  await turn();
  const long = 'a'.repeat(9_000);
  arrive(Buffer.concat([dataFrame(2, long), dataFrame(1, long)]));
  await turn();
  expect(pieces.join('')).toBe(long);
});

test('a reader that asks for more while it is handed something gets it in its order, 64 kB at most at a time', () => {
  const inbox = new Inbox();
  const pieces = ['a', 'b', 'c', 'd', 'e'].map((letter) => Buffer.alloc(20_000, letter));
  for (const piece of pieces) inbox.add(piece);
  const handed: Buffer[] = [];
  const take = (piece: Buffer): boolean => {
    handed.push(piece);
    inbox.handOver(take);
    return true;
  };
  inbox.handOver(take);
  expect(handed.map(({ length }) => length)).toEqual([60_000, 40_000]);
  expect(Buffer.concat(handed).equals(Buffer.concat(pieces))).toBe(true);
  expect(inbox).toMatchObject({ isEmpty: true, cost: 0, delivered: 100_000 });
});
