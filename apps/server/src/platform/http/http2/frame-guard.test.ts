import { Duplex, type Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FrameGuard } from './frame-guard.ts';
import { frameTypes, preface } from './frames.ts';
import { formatFrame, formatNumber, opening, requestFrame } from './hostile-frames.fixture.ts';

/** The socket of a client: what it sends is pushed, what it is sent is kept. */
class ClientSocket extends Duplex {
  readonly received: Buffer[] = [];

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.received.push(chunk);
    done();
  }
}

function create({ headersTimeoutMs = 10_000, isRead = true } = {}) {
  const socket = new ClientSocket();
  let refused: Error | undefined;
  let goodbyes = 0;
  const guard = new FrameGuard(socket, {
    headersTimeoutMs,
    onGoaway: () => {
      goodbyes += 1;
    },
    onClose: (error) => {
      refused = error;
    },
  });
  const reads: Buffer[] = [];
  guard.pause();
  guard.on('data', (bytes) => reads.push(bytes));
  if (isRead) guard.resume();
  return {
    socket,
    guard: guard as FrameGuard & Readable,
    reads,
    get refused() {
      return refused?.message;
    },
    get goodbyes() {
      return goodbyes;
    },
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

const data = (length: number) => formatFrame(frameTypes.data, 0, 1, Buffer.alloc(length, 1));
const settings = opening.subarray(preface.length);

describe('the guard of frames', () => {
  it('hands each frame on as a read of its own, whatever pieces they come in', async () => {
    const frames = [
      settings,
      requestFrame(1, '/', { method: 'POST', isWhole: false }),
      data(5),
      data(0),
      data(300),
    ];
    const bytes = Buffer.concat([preface, ...frames]);
    for (const size of [bytes.length, 100, 7]) {
      const client = create();
      for (let at = 0; at < bytes.length; at += size) client.socket.push(bytes.subarray(at, at + size));
      await expect.poll(() => Buffer.concat(client.reads).length).toBe(bytes.length);
      expect(Buffer.concat(client.reads)).toEqual(bytes);
      if (size === bytes.length) expect(client.reads).toEqual([preface, ...frames]);
      client.guard.destroy();
    }
  });

  it('hands bodies on as they come', async () => {
    const client = create();
    client.socket.push(Buffer.concat([opening, data(1_000).subarray(0, 400)]));
    await expect.poll(() => client.reads.at(-1)?.length).toBe(400);
    client.guard.destroy();
  });

  it('hands on so many a turn, and leaves the rest for later ones', async () => {
    const client = create();
    client.socket.push(Buffer.concat([opening, ...Array.from({ length: 1_000 }, () => data(1))]));
    await turns(3);
    expect(client.reads.length).toBeGreaterThan(100);
    expect(client.reads.length).toBeLessThan(600);
    await expect.poll(() => client.reads.length).toBe(1_002);
    client.guard.destroy();
  });

  it('hands on so many a turn also of what waited while nobody read', async () => {
    const client = create({ isRead: false });
    client.socket.push(Buffer.concat([opening, ...Array.from({ length: 1_000 }, () => data(1))]));
    await turns(20);
    client.guard.resume();
    await turns(2);
    expect(client.reads.length).toBeLessThan(400);
    await expect.poll(() => client.reads.length).toBe(1_002);
    client.guard.destroy();
  });

  it('ends the socket before it hands on what no browser sends, and nothing behind it', async () => {
    const client = create();
    const push = formatFrame(frameTypes.pushPromise, 4, 1, formatNumber(2));
    client.socket.push(Buffer.concat([opening, requestFrame(1, '/'), push, requestFrame(3, '/')]));
    await expect.poll(() => client.guard.destroyed).toBe(true);
    expect(client.reads.length).toBe(3);
    expect([client.socket.destroyed, client.refused]).toEqual([true, 'unlawful type 5']);
  });

  it.each([
    ['no preface', 'GET / HTTP/1.1\r\nhost: a\r\n\r\n'],
    ['half a preface with another end', 'PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n'],
  ])('ends the socket of a client with %s, of which nothing is handed on', async (_, text) => {
    const client = create();
    client.socket.push(Buffer.from(text));
    await expect.poll(() => client.refused).toBe('no preface');
    expect(client.reads).toEqual([]);
  });

  it('keeps goodbyes to itself, and ends a client that says goodbye for a fault', async () => {
    const client = create();
    const goodbye = (code: number) =>
      formatFrame(frameTypes.goaway, 0, 0, Buffer.concat([formatNumber(0), formatNumber(code)]));
    client.socket.push(Buffer.concat([opening, goodbye(0)]));
    await expect.poll(() => client.goodbyes).toBe(1);
    expect(client.reads.length).toBe(2);
    client.socket.push(goodbye(2));
    await expect.poll(() => client.refused).toBe('a goodbye with an error');
  });

  it.each([
    ['a beginning', Buffer.alloc(0)],
    ['settings', opening.subarray(0, -1)],
    ['a frame', Buffer.concat([opening, requestFrame(1, '/').subarray(0, -1)])],
    ['headers', Buffer.concat([opening, formatFrame(frameTypes.headers, 0, 1, 'x')])],
  ])('gives up on %s without end', async (_, bytes) => {
    const client = create({ headersTimeoutMs: 60 });
    client.socket.push(bytes);
    await expect.poll(() => client.refused).toBe('too slow');
  });

  it('waits for a body, and for the next request, as long as they take', async () => {
    const client = create({ headersTimeoutMs: 60 });
    client.socket.push(Buffer.concat([opening, data(1_000).subarray(0, 500)]));
    await wait(150);
    expect(client.guard.destroyed).toBe(false);
    client.socket.push(data(1_000).subarray(500));
    await wait(150);
    expect(client.guard.destroyed).toBe(false);
    client.guard.destroy();
  });

  it('reads nothing of a client that is held back, and goes on where it was', async () => {
    const client = create();
    client.socket.push(opening);
    await expect.poll(() => client.reads.length).toBe(2);
    client.guard.hold(true);
    await turns(2);
    client.socket.push(requestFrame(1, '/'));
    await turns(10);
    expect(client.reads.length).toBe(2);
    client.guard.hold(false);
    await expect.poll(() => client.reads.length).toBe(3);
    client.guard.destroy();
  });

  it('brings what is written to the client, and its end behind it', async () => {
    const client = create();
    client.guard.write('one');
    client.guard.end('two');
    await expect.poll(() => client.socket.writableFinished).toBe(true);
    expect(Buffer.concat(client.socket.received).toString()).toBe('onetwo');
    await expect.poll(() => client.guard.destroyed, { timeout: 3_000 }).toBe(true);
    expect(client.refused).toBeUndefined();
  });
});
