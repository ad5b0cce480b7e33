import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Pair, turn } from '../testing/session-pair.ts';
import { createRandom, Wire } from '../testing/wire.ts';
import { Session } from './session.ts';
import type { SessionStream } from './session-stream.ts';
import { priorities } from './stream-route.ts';

const echo = (stream: SessionStream) => stream.pipe(stream);

function readAll(stream: SessionStream) {
  const result = {
    hash: createHash('sha256'),
    bytes: 0,
    hasEnded: false,
    error: undefined as Error | undefined,
  };
  stream.on('data', (chunk: Buffer) => {
    result.hash.update(chunk);
    result.bytes += chunk.length;
  });
  stream.on('end', () => {
    result.hasEnded = true;
  });
  stream.on('error', (error) => {
    result.error = error;
  });
  return result;
}

function fill(size: number, seed: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = (at * 31 + seed * 17 + (at >> 8)) & 0xff;
  return bytes;
}

test('what is written comes once, whole and in order, however often and wherever the wire breaks', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer(),
      fc.array(fc.integer({ min: 0, max: 150_000 }), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 3 })), { maxLength: 8 }),
      async (seed, sizes, cuts) => {
        const pair = new Pair(createRandom(seed), echo);
        const streams = sizes.map((size, index) => {
          const stream = pair.open(`echo ${index}`);
          const bytes = fill(size, index);
          const got = readAll(stream);
          stream.end(bytes);
          return { got, sent: createHash('sha256').update(bytes).digest('hex') };
        });
        for (const [steps, pause] of cuts) {
          await pair.run(steps);
          pair.break();
          for (let index = 0; index < pause; index += 1) await turn();
          pair.mend();
        }
        await pair.runUntil(() => streams.every(({ got }) => got.hasEnded || got.error));
        for (const { got, sent } of streams) {
          expect(got.error).toBeUndefined();
          expect(got.hash.digest('hex')).toBe(sent);
        }
        pair.cloud.close('transport');
        pair.device.close('transport');
      },
    ),
  );
}, 60_000);

test('a stream that was cut while the wire was broken is cut at the other end, too', async () => {
  let far: SessionStream | undefined;
  const pair = new Pair(createRandom(1), (stream) => {
    far = stream;
  });
  const stream = pair.open('x');
  stream.on('error', () => {});
  await pair.runUntil(() => !stream.connecting);
  pair.break();
  await turn();
  stream.destroy();
  pair.mend();
  await pair.runUntil(() => far?.destroyed === true);
});

test('a cut that was on its way behind last bytes when the wire broke is said over the next', async () => {
  let far: SessionStream | undefined;
  const pair = new Pair(createRandom(1), (stream) => {
    far = stream;
  });
  const stream = pair.open('x');
  const got = readAll(stream);
  await pair.runUntil(() => far !== undefined);
  far?.end('refused').destroy();
  await turn();
  pair.break();
  pair.mend();
  await pair.runUntil(() => got.hasEnded && stream.destroyed);
  expect(got.bytes).toBe(7);
});

test('a stream that was opened while the wire was broken is opened over the next', async () => {
  const pair = new Pair(createRandom(2), echo);
  pair.break();
  await turn();
  const stream = pair.open('late');
  const got = readAll(stream);
  stream.end('hello');
  pair.mend();
  await pair.runUntil(() => got.hasEnded);
  expect(got.bytes).toBe(5);
});

test('a session that finds no other connection in time ends, and its streams with it', async () => {
  const random = createRandom(3);
  const wire = new Wire(random);
  const session = new Session({ resumeMs: 20 });
  session.attach(wire.a, false);
  const stream = session.open('x', priorities.page, () => {});
  const got = readAll(stream);
  wire.break();
  expect(await session.closed).toBe('transport');
  await turn();
  expect(got.error).toMatchObject({ code: 'link_closed', reason: 'transport' });
});

test('a stream that was never sent ends with its session', async () => {
  const pair = new Pair(createRandom(7), echo);
  pair.break();
  await turn();
  const got = readAll(pair.open('late'));
  pair.cloud.close('revoked');
  await turn();
  expect(got.error).toMatchObject({ code: 'link_closed', reason: 'revoked' });
});

test('keys overtake a download that waits', async () => {
  const pair = new Pair(createRandom(4), (stream, line) => {
    if (line === 'bulk') stream.end(Buffer.alloc(1_000_000));
    else echo(stream);
  });
  const bulk = pair.open('bulk');
  const download = readAll(bulk);
  await pair.run(5);
  const shell = pair.cloud.open('keys', priorities.shell, () => shell.connectNow());
  const keys = readAll(shell);
  shell.write('x');
  await pair.runUntil(() => keys.bytes === 1);
  expect(download.hasEnded).toBe(false);
});

test('more streams than may be open wait for one to end', async () => {
  const pair = new Pair(createRandom(5), echo);
  const all = Array.from({ length: 200 }, (_, index) => {
    const stream = pair.open(`${index}`);
    const got = readAll(stream);
    stream.write('x');
    return { stream, got };
  });
  await pair.runUntil(() => all.filter(({ got }) => got.bytes === 1).length === 128);
  await pair.run(50);
  expect(all.filter(({ got }) => got.bytes === 1)).toHaveLength(128);
  for (const { stream } of all) stream.end();
  await pair.runUntil(() => all.every(({ got }) => got.hasEnded));
});

test('a writer that waits for a stream that is cut is told so', async () => {
  const pair = new Pair(createRandom(8), () => {});
  const stream = pair.open('x');
  stream.on('error', () => {});
  const told = new Promise((resolve) => {
    const write = () => stream.write(Buffer.alloc(60_000), resolve);
    stream.once('connect', write);
  });
  await pair.run(100);
  pair.cloud.close('revoked');
  expect(await told).toMatchObject({ code: 'link_closed', reason: 'revoked' });
});

test('what nobody reads holds its writer back', async () => {
  let written = 0;
  const pair = new Pair(createRandom(6), (stream) => {
    const write = () => {
      while (!stream.destroyed && stream.write(Buffer.alloc(10_000))) written += 10_000;
    };
    stream.on('drain', write);
    write();
  });
  pair.open('x').on('error', () => {});
  await pair.run(200);
  expect(written).toBeLessThan(200_000);
});
