import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect as connectSession } from 'node:http2';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { whenClosed } from '@pult/testkit';
import { testCertificate } from '@pult/testkit/certificates';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameTypes } from './frames.ts';
import {
  createRandom,
  floods,
  formatFrame,
  formatNumber,
  opening,
  randomConnection,
  requestFrame,
} from './hostile-frames.fixture.ts';

let child: ChildProcess;
let port: number;
/** What the process wrote before its end, such as the assertion that failed. */
let lastWords = '';

beforeAll(async () => {
  const program = fileURLToPath(new URL('./serving-process.fixture.ts', import.meta.url));
  child = fork(program, { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  child.stderr?.on('data', (chunk) => {
    lastWords += chunk;
  });
  [{ port }] = await once(child, 'message');
}, 60_000);
afterAll(() => child.kill('SIGKILL'));

async function measure(): Promise<{ residentBytes: number; longestTurnMs: number }> {
  if (child.exitCode !== null || child.signalCode !== null) {
    throw new Error(`the process ended with ${child.signalCode ?? child.exitCode}: ${lastWords}`);
  }
  const measured = once(child, 'message');
  child.send('measure');
  const [report] = await measured;
  return report;
}

async function open(): Promise<TLSSocket> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: testCertificate,
    ALPNProtocols: ['h2'],
  });
  await once(socket, 'secureConnect');
  socket.on('error', () => {});
  return socket;
}

/** An honest browser gets its page. */
async function expectService(): Promise<void> {
  const session = connectSession(`https://localhost:${port}`, { ca: testCertificate });
  expect(await text(session.request({ ':path': '/' }))).toBe('page');
  session.destroy();
  await measure();
}

async function attack(seed: number): Promise<void> {
  const random = createRandom(seed);
  const socket = await open();
  const over = whenClosed(socket);
  if (random(4) > 0) socket.resume();
  const frames = randomConnection(random);
  if (random(2) === 0) socket.write(Buffer.concat(frames));
  else for (const frame of frames) socket.write(frame);
  if (random(3) === 0) socket.end();
  await Promise.race([over, wait(random(60))]);
  socket.destroy();
}

describe('hostile frames of browsers', () => {
  it('end their connection at most, and neither the process nor the requests of others', async () => {
    await expectService();
    const before = await measure();
    const seeds = Array.from({ length: 300 }, (_, seed) => seed);
    const attackAll = async () => {
      for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) await attack(seed);
    };
    await Promise.all(Array.from({ length: 8 }, attackAll));
    await expectService();
    const { residentBytes } = await measure();
    expect(residentBytes).toBeLessThan(before.residentBytes + 150 * 2 ** 20);
  }, 60_000);

  it.each(Object.entries(floods))(
    'a flood of %s ends its connection, and takes no long turn',
    async (_, create) => {
      const socket = await open();
      const over = whenClosed(socket);
      socket.resume();
      await measure();
      const many = Buffer.concat(Array.from({ length: 4_000 }, (_each, index) => create(index)));
      socket.write(Buffer.concat([opening, many]));
      await over;
      const { longestTurnMs } = await measure();
      expect(longestTurnMs).toBeLessThan(1_000);
      await expectService();
    },
  );

  it('a window that overflows behind requests of the same segment ends its connection alone', async () => {
    const socket = await open();
    const over = whenClosed(socket);
    socket.resume();
    const requests = Array.from({ length: 20 }, (_, index) => requestFrame(2 * index + 1, '/slow'));
    const overflow = formatFrame(frameTypes.windowUpdate, 0, 0, formatNumber(0x7fffffff));
    socket.write(Buffer.concat([opening, ...requests, overflow]));
    await over;
    await expectService();
  });

  it('a body in frames of a byte each goes in turns with others', async () => {
    const socket = await open();
    socket.resume();
    const begun = requestFrame(1, '/echo', { method: 'POST', isWhole: false });
    const bytes = Array.from({ length: 50_000 }, () => formatFrame(frameTypes.data, 0, 1, 'x'));
    socket.write(Buffer.concat([opening, begun, ...bytes]));
    const times: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const asked = performance.now();
      await expectService();
      times.push(performance.now() - asked);
    }
    expect(Math.max(...times)).toBeLessThan(2_000);
    socket.destroy();
  }, 60_000);
});
