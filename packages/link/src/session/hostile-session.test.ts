import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { acceptFrame, dataFrame, resetFrame } from '../testing/raw-device.ts';
import { Pair, turn } from '../testing/session-pair.ts';
import { createRandom, Wire } from '../testing/wire.ts';
import { formatHeader, formatOffset, formatResume, frameFlags, frameTypes } from './frames.ts';
import { Session } from './session.ts';
import type { SessionOptions } from './session-options.ts';
import type { SessionStream } from './session-stream.ts';
import { SharedMemory } from './shared-memory.ts';
import { priorities } from './stream-route.ts';
import { Streams } from './streams.ts';

/** The cloud's end of a session whose other end is the test, frame by frame. */
class Cloud {
  readonly memory = new SharedMemory(64 * 1024 * 1024);
  readonly session: Session;
  #wire = new Wire(createRandom(1));

  constructor(options: SessionOptions = {}) {
    this.session = new Session({ endsFloods: true, memory: this.memory, ...options });
    this.session.attach(this.#wire.a, false);
    onTestFinished(() => this.session.close('transport'));
  }

  open(): SessionStream {
    const stream = this.session.open('x', priorities.page, () => stream.connectNow());
    stream.on('error', () => {});
    return stream;
  }

  async arrive(...frames: Buffer[]): Promise<void> {
    this.#wire.a.arrive(Buffer.concat(frames));
    await turn();
    await turn();
  }

  /** What was sent to the test on this connection. */
  get sent(): string {
    return Buffer.concat(this.#wire.a.sent).toString('latin1');
  }

  get isCut(): boolean {
    return this.#wire.a.destroyed;
  }

  break(): void {
    this.#wire.break();
  }

  attach(): void {
    this.#wire = new Wire(createRandom(1));
    this.session.attach(this.#wire.a, true);
  }

  /** Nothing of the memory that sessions share is taken. */
  get hasAllMemory(): boolean {
    return this.memory.taken === 0;
  }
}

const credit = (streamId: number, offset: number) => formatOffset(frameTypes.credit, streamId, offset);

test('what is read between an attachment and its answer gives credit', async () => {
  const pair = new Pair(createRandom(1), (stream) => stream.end(Buffer.alloc(100_000)));
  const stream = pair.open('x');
  stream.on('error', () => {});
  await pair.run(50);
  pair.break();
  await turn();
  pair.mend();
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  await turn();
  await pair.run(200);
  expect(bytes).toBe(100_000);
});

test('a credit for a stream that is closed takes no place of others', async () => {
  const cloud = new Cloud();
  for (let id = 1; id <= 130; id += 1) {
    const stream = cloud.open().resume();
    stream.end();
    await turn();
    await cloud.arrive(acceptFrame(id, '', true), credit(id, 20_000));
    expect(stream.destroyed).toBe(true);
    await cloud.arrive(credit(id, 20_001));
  }
  const last = cloud.open();
  await turn();
  expect(last.id).toBe(131);
});

test('a stream that has come whole is read to its end although a peer has forgotten it', async () => {
  const cloud = new Cloud({ resumeMs: 10_000 });
  const stream = cloud.open();
  stream.end('asked');
  await turn();
  await cloud.arrive(acceptFrame(1, 'all of it', true));
  cloud.break();
  await turn();
  cloud.attach();
  await cloud.arrive(formatResume(1, []));
  expect(stream.read()?.toString()).toBe('all of it');
  expect(stream.errored).toBeNull();
  expect(cloud.hasAllMemory).toBe(true);
});

test.each<[string, (cloud: Cloud) => Promise<void> | void]>([
  ['a reset', (cloud) => cloud.arrive(resetFrame(1))],
  [
    'a resumption without it',
    async (cloud) => {
      cloud.break();
      await turn();
      cloud.attach();
      await cloud.arrive(formatResume(1, []));
    },
  ],
  ['the end of the session', (cloud) => cloud.session.close('protocol')],
  ['a lost session', (cloud) => cloud.break()],
])('%s gives back the memory of a stream that is closed and not acknowledged', async (what, act) => {
  const cloud = new Cloud({ resumeMs: what === 'a lost session' ? 0 : 10_000 });
  const stream = cloud.open().resume();
  stream.end('asked');
  await turn();
  await cloud.arrive(acceptFrame(1, '', true));
  expect(stream.destroyed).toBe(true);
  expect(cloud.hasAllMemory).toBe(false);
  await act(cloud);
  await turn();
  expect(cloud.hasAllMemory).toBe(true);
});

test.each<[string, Buffer]>([
  ['a broken frame', formatHeader(99, 0, 0, 0)],
  ['a goodbye', Buffer.concat([formatHeader(frameTypes.goodbye, 0, 0, 10), Buffer.from('shutdown 0')])],
])('an answer that has come whole before %s is read to its end', async (_what, last) => {
  const cloud = new Cloud();
  const stream = cloud.open();
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  stream.end();
  await turn();
  await cloud.arrive(acceptFrame(1, 'all of it', true), last);
  await cloud.session.closed;
  await turn();
  expect(text).toBe('all of it');
  expect(stream.readableEnded).toBe(true);
  expect(stream.errored).toBeNull();
});

test('a connection that comes while a session says goodbye is closed', async () => {
  const cloud = new Cloud({ resumeMs: 10_000 });
  await turn();
  cloud.session.close('revoked');
  cloud.attach();
  expect(cloud.isCut).toBe(true);
  cloud.session.close('revoked');
  expect(await cloud.session.closed).toBe('revoked');
}, 3_000);

test('a session that shall leave while it has no connection ends', async () => {
  const cloud = new Cloud({ resumeMs: 10_000 });
  const stream = cloud.open();
  await turn();
  cloud.break();
  await turn();
  cloud.session.sayGoodbye({ reason: 'shutdown', graceMs: 10_000 });
  expect(await cloud.session.closed).toBe('shutdown');
  expect(stream.destroyed).toBe(true);
}, 3_000);

test.each<[string, Buffer]>([
  ['data', dataFrame(1, 'x')],
  ['a ping', formatHeader(frameTypes.ping, 0, 0, 1)],
  ['the answer to a ping', formatHeader(frameTypes.ping, frameFlags.answer, 0, 1)],
])('%s before what a peer holds ends the session', async (_what, frame) => {
  const cloud = new Cloud({ resumeMs: 10_000 });
  cloud.open();
  await turn();
  cloud.break();
  await turn();
  cloud.attach();
  await cloud.arrive(frame);
  expect(await cloud.session.closed).toBe('protocol');
});

test('a connection whose other end never says what it holds is given up', async () => {
  const cloud = new Cloud({ resumeMs: 10_000, pingTimeoutMs: 50 });
  cloud.open();
  await turn();
  cloud.break();
  await turn();
  cloud.attach();
  expect(cloud.session.isWaiting).toBe(false);
  await wait(200);
  expect(cloud.session.isWaiting).toBe(true);
});

test('a reader may read while it is handed something', async () => {
  const cloud = new Cloud();
  const stream = cloud.open();
  let text = '';
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    stream.read();
  });
  await turn();
  const pieces = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(2_000));
  await cloud.arrive(acceptFrame(1), ...pieces.map((piece) => dataFrame(1, piece)));
  await turn();
  expect(text).toBe(pieces.join(''));
});

test('a byte that waits for its reader keeps nothing else of what came with it', async () => {
  const cloud = new Cloud();
  cloud.open();
  const stream = cloud.open();
  await turn();
  // The first one is gone: what comes for it goes by.
  await cloud.arrive(resetFrame(1), acceptFrame(2));
  stream.pause();
  for (let count = 0; count < 40; count += 1) {
    await cloud.arrive(dataFrame(1, Buffer.alloc(60_000)), dataFrame(2, 'x'));
  }
  let kept = 0;
  stream.resume();
  stream.on('data', (chunk: Buffer) => {
    kept += chunk.buffer.byteLength;
  });
  await turn();
  await turn();
  expect(kept).toBeGreaterThan(0);
  expect(kept).toBeLessThan(40 * 10_000);
});

test('more streams than either end can name are refused with a reason, and take no memory', async () => {
  const cloud = new Cloud();
  for (let count = 0; count < 4_096; count += 1) cloud.open();
  const told = new Promise((resolve) => cloud.open().once('error', resolve));
  expect(await told).toMatchObject({ code: 'service_refused', reason: 'too many streams' });
  cloud.session.close('transport');
  expect(cloud.hasAllMemory).toBe(true);
});

test('a session that has no numbers left says goodbye and opens nothing more', async () => {
  const cloud = new Cloud();
  const first = cloud.open();
  await turn();
  // As after four thousand million streams.
  const lastId = vi.spyOn(Streams.prototype, 'lastId', 'get').mockReturnValue(2 ** 32 - 2 ** 20);
  onTestFinished(() => lastId.mockRestore());
  const told = new Promise((resolve) => cloud.open().once('error', resolve));
  expect(await told).toMatchObject({ code: 'link_closed', reason: 'shutdown' });
  expect(first.destroyed).toBe(false);
  await turn();
  expect(cloud.sent).toContain('shutdown 1000');
});
