/** A process of hostile browsers: it attacks by HTTP/2 until it is told to end, and tells its parent of each attack. */
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import {
  type Asked,
  createRandom,
  floods,
  opening,
  type Random,
  randomConnection,
  requestFrame,
} from '../../apps/server/src/platform/http/http2/hostile-frames.fixture.ts';
import type { AttackReport, AttackSettings } from './attacker.ts';
import { mutate, pick } from './generate.ts';

const settings: AttackSettings = JSON.parse(process.argv[2] ?? '');
const tell = (report: AttackReport) => void process.send?.(report);
const { serverUrl, ca } = settings.targets[0];
const { host, hostname, port } = new URL(serverUrl);
/** Its pages and calls, a stream of events that ends with 401, and what is not there. */
const asked: Asked = {
  authority: host,
  paths: [
    '/',
    '/login',
    '/healthz',
    '/api/v1/auth/token/',
    '/api/v1/organizations/',
    '/openapi.json',
    '/x?y=z',
  ],
};
const kinds = [
  'frames',
  'frames',
  'frames',
  'turned frames',
  'turned frames',
  'single bytes',
  'flood',
  'unread',
] as const;
let nextSeed = settings.seed;

async function open(): Promise<TLSSocket> {
  const socket = connect({
    host: hostname,
    port: Number(port),
    ca,
    servername: hostname,
    ALPNProtocols: ['h2'],
  });
  socket.setTimeout(10_000, () => socket.destroy(new Error('no handshake in time')));
  await once(socket, 'secureConnect');
  socket.setTimeout(0);
  socket.on('error', () => {});
  return socket;
}

function send(kind: (typeof kinds)[number], socket: TLSSocket, random: Random): void {
  const frames = randomConnection(random, asked);
  switch (kind) {
    case 'flood': {
      const create = pick(random, Object.values(floods) as [(index: number) => Buffer]);
      socket.write(opening);
      for (let index = 0; index < 4_000; index += 1) socket.write(create(index));
      return;
    }
    case 'unread':
      socket.pause();
      socket.write(opening);
      for (let index = 0; index < 90; index += 1)
        socket.write(requestFrame(2 * index + 1, '/openapi.json', { authority: host }));
      return;
    case 'turned frames':
      socket.write(Buffer.concat([opening, mutate(random, Buffer.concat(frames))]));
      return;
    case 'single bytes':
      for (const byte of Buffer.concat(frames).subarray(0, 3_000)) socket.write(Buffer.from([byte]));
      return;
    default:
      if (random(2) === 0) socket.write(Buffer.concat(frames));
      else for (const frame of frames) socket.write(frame);
  }
}

/** The same bytes for the same seed. Says what it was. */
async function attack(seed: number): Promise<string> {
  const random = createRandom(seed);
  const kind = pick(random, kinds);
  const socket = await open();
  const over = new Promise((resolve) => socket.once('close', resolve));
  if (random(4) > 0) socket.resume();
  send(kind, socket, random);
  if (random(3) === 0) socket.end();
  await Promise.race([over, wait(random(kind === 'unread' ? 3_000 : 400))]);
  const isCut = socket.destroyed;
  socket.destroy();
  return `HTTP/2 ${kind}${isCut ? ', ended by the server' : ''}`;
}

async function attackAll(lane: number): Promise<never> {
  for (;;) {
    const seed = nextSeed;
    if (!settings.isRepeated) nextSeed += 1;
    tell({ kind: 'began', seed, lane });
    try {
      tell({ kind: 'ended', seed, what: await attack(seed) });
    } catch (error) {
      tell({ kind: 'ended', seed, what: (error as Error).message });
      await wait(100);
    }
  }
}

process.on('disconnect', () => process.exit());
for (let lane = 0; lane < settings.lanes; lane += 1) void attackAll(lane);
