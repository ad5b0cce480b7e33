import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import {
  createRandom,
  dataFrame,
  formatHeader,
  formatOffset,
  formatResume,
  frameFlags,
  frameTypes,
  type Random,
  randomFrame,
  readRequests,
  resetFrame,
} from '@pult/link/testing';
import { createBenchIdentity } from '../links/device-keys.ts';
import { callBadly, link, shakeHands, type Target } from './connect.ts';
import { makeAnswer, mutate, pick } from './generate.ts';

/** Sessions of devices as they were last, to come back with: mostly they are gone, or another's. */
export type KnownSessions = Map<number, string>;

const kinds = [
  'frames',
  'frames',
  'answers',
  'answers',
  'answers',
  'turned answers',
  'turned answers',
  'handshake',
  'flood',
  'lies',
  'resumption',
  'resumption',
  'slow',
] as const;

/** Longest that one attack goes on, and of those whose time is what hurts. */
const attackMs = 1_200;
const slowMs = 10_000;

/** One attack of one device: the same bytes for the same seed, as far as the server asks the same. Says what it was. */
export async function attack(
  seed: number,
  targets: readonly [Target, ...Target[]],
  device: number,
  sessions: KnownSessions,
): Promise<string> {
  const random = createRandom(seed);
  const target = pick(random, targets);
  const kind = pick(random, kinds);
  const what = `${target.ca ? 'TLS' : 'TCP'} ${target.transport} ${kind}`;
  if (kind === 'handshake') {
    if (!target.ca && random(4) === 0) {
      const status = await callBadly(target, random);
      if (status >= 500 && status !== 503) throw new WrongAnswer(`${what}: answered ${status}`);
    } else await shakeHands(target, device, random);
    return what;
  }
  const session = kind === 'resumption' ? chooseSession(random, device, sessions) : 'new';
  const { socket, sessionId } = await link(target, device, session);
  socket.on('error', () => {});
  if (sessionId) sessions.set(device, sessionId);
  const over = once(socket, 'close');
  const longestMs = kind === 'slow' || random(20) === 0 ? slowMs : attackMs;
  const ended = Promise.race([over, wait(random(longestMs))]).catch(() => {});
  run(kind, { socket, random, device });
  await ended;
  // A cut leaves the session waiting for its device, an end says no more.
  if (random(2) === 0) socket.end();
  socket.destroy();
  return what;
}

/** An answer that no device and no person may ever get. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer';
}

function chooseSession(random: Random, device: number, sessions: KnownSessions): string {
  const own = sessions.get(device);
  const others = [...sessions.values()];
  const id = random(3) > 0 && own ? own : (others[random(others.length)] ?? 'A'.repeat(22));
  return `${id} ${pick(random, [0, 1, 2, 3, 999_999_999])}`;
}

interface Attacker {
  socket: Duplex;
  random: Random;
  device: number;
}

function run(kind: (typeof kinds)[number], attacker: Attacker): void {
  const { socket, random } = attacker;
  switch (kind) {
    case 'frames':
      socket.resume();
      write(
        attacker,
        Array.from({ length: 1 + random(80) }, () => randomFrame(random)),
      );
      return;
    case 'answers':
    case 'turned answers':
      answer(attacker, kind === 'turned answers');
      return;
    case 'flood':
      flood(attacker);
      return;
    case 'lies':
      lie(attacker);
      return;
    case 'resumption':
      write(attacker, [makeResume(random), ...Array.from({ length: random(20) }, () => randomFrame(random))]);
      answer(attacker, false);
      return;
    default:
      // Whatever is asked piles up in the kernel, and then with the server.
      socket.pause();
      write(
        attacker,
        Array.from({ length: 200 }, () => formatHeader(frameTypes.ping, 0, 0, 1)),
      );
  }
}

/** In one piece, frame by frame, or byte by byte. */
function write({ socket, random }: Attacker, frames: readonly Buffer[]): void {
  const bytes = Buffer.concat(frames);
  const size = pick(random, [bytes.length, bytes.length, 1400, 7, 1]) || 1;
  const most = Math.min(bytes.length, size * 4_000);
  for (let at = 0; at < most && !socket.destroyed; at += size) socket.write(bytes.subarray(at, at + size));
}

function answer(attacker: Attacker, isTurned: boolean): void {
  const { socket, random, device } = attacker;
  const { serialNumber } = createBenchIdentity(device);
  const turnsOne = 1 + random(6);
  let asked = 0;
  readRequests(socket, (streamId, line) => {
    asked += 1;
    const frames = makeAnswer(random, streamId, line, serialNumber);
    if (isTurned && asked % turnsOne === 0) socket.write(mutate(random, Buffer.concat(frames)));
    else write(attacker, frames);
    // Some of it is read on the other side only if it may be sent at all.
    socket.write(formatOffset(frameTypes.credit, streamId, 16_384 + random(100_000)));
    if (random(5) === 0) socket.write(resetFrame(streamId));
  });
}

function flood({ socket, random }: Attacker): void {
  socket.resume();
  const frame = pick(random, [
    () => formatHeader(frameTypes.ping, 0, 0, 1),
    () => formatHeader(frameTypes.ping, frameFlags.answer, 0, 9),
    () => dataFrame(1, 'x'),
    () => dataFrame(random(1e6), 'GET /\n', frameFlags.open),
    () => resetFrame(random(9)),
    () => formatOffset(frameTypes.credit, 1, 20_000),
    () => formatOffset(frameTypes.position, 1, 0),
    () => formatOffset(frameTypes.acknowledgement, 0, 0),
    () => formatHeader(frameTypes.data, 0, 1, 0),
  ]);
  const many = Buffer.concat(Array.from({ length: 3_000 }, frame));
  let left = 60;
  const send = () => {
    while (left > 0 && !socket.destroyed) {
      left -= 1;
      if (!socket.write(many)) {
        socket.once('drain', send);
        return;
      }
    }
  };
  send();
}

/** Accepts all that is asked, and says what is not so of what has come. */
function lie({ socket, random }: Attacker): void {
  const offset = pick(random, [0, 1, 13, 400, 2 ** 20, 2 ** 32, 2 ** 47, 2 ** 48 - 1]);
  const type = pick(random, [frameTypes.acknowledgement, frameTypes.credit, frameTypes.position]);
  const isQuiet = random(3) === 0;
  readRequests(socket, (streamId) => {
    socket.write(dataFrame(streamId, '200\n'));
    // One that never acknowledges anything has the server keep what people send.
    if (!isQuiet)
      socket.write(formatOffset(type, type === frameTypes.acknowledgement ? 0 : streamId, offset));
    if (random(4) === 0) socket.write(dataFrame(streamId, Buffer.alloc(60_000)));
  });
}

function makeResume(random: Random): Buffer {
  const offsets = [0, 1, 4, 12, 200, 16_384, 2 ** 32, 2 ** 48 - 1] as const;
  const positions = Array.from({ length: random(random(4) === 0 ? 4_097 : 6) }, (_, index) => ({
    streamId: random(2) === 0 ? index : random(9),
    received: pick(random, offsets),
    credit: pick(random, offsets),
  }));
  return formatResume(pick(random, [0, 1, 3, 100, 2 ** 32 - 1]), positions);
}
