import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { archive, dataFrame, readRequests, resetFrame } from '@pult/link/testing';
import { dialAsDevice } from '@pult/testkit/in-process';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ArchiveStore, createArchiveStore } from './archives/index.ts';
import {
  collectorOf,
  createArchive,
  createDiagnosticsFixture,
  type DiagnosticsFixture,
} from './diagnostics.fixture.ts';

let fixture: DiagnosticsFixture;
let dataDir: string;
/** What is done to the store before it takes the next archive. */
let sabotage: ((name: string) => Promise<void>) | undefined;
/** What it gives back instead of what it has kept. */
let lie: ((kept: Buffer) => Buffer) | undefined;

/** Not all at once: the head of an answer has left before the end is known. */
async function* piecesOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 40_000) {
    yield bytes.subarray(at, at + 40_000);
    await delay(10);
  }
}

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  const folder = await createArchiveStore({ dataDir, s3: undefined });
  const archives: ArchiveStore = {
    ...folder,
    async save(name, source) {
      await sabotage?.(name);
      return folder.save(name, source);
    },
    async read(name, range) {
      const kept = await folder.read(name, range);
      return lie ? Readable.from(piecesOf(lie(await buffer(kept)))) : kept;
    },
  };
  fixture = await createDiagnosticsFixture({
    dataDir,
    archives,
    environment: { DIAGNOSTICS_QUOTA_MB: '1' },
  });
  // The folder is there from the first archive on.
  const device = await fixture.addController('FIRST');
  await fixture.link(device, collectorOf(createArchive(1000).bytes));
  await fixture.request(device);
  await fixture.waitForEnd(device);
});
afterAll(async () => {
  await fixture.close();
  await rm(dataDir, { recursive: true });
});

const { bytes, sha256 } = createArchive();

const END = 4;
const { formatPiece, formatOutcome } = archive;

describe('an agent that lies', () => {
  it.each<[string, Buffer[], 'end' | 'reset', string]>([
    ['ends without a checksum', [formatPiece(bytes)], 'end', 'truncated'],
    ['cuts its answer', [formatPiece(bytes.subarray(0, 50_000))], 'reset', 'truncated'],
    [
      'gives another checksum',
      [formatPiece(bytes), formatOutcome({ kind: 'whole', sha256: 'a'.repeat(64) })],
      'end',
      'checksum_mismatch',
    ],
    [
      'leaves the last byte out',
      [formatPiece(bytes.subarray(0, -1)), formatOutcome({ kind: 'whole', sha256 })],
      'end',
      'checksum_mismatch',
    ],
    [
      'gives no checksum but words',
      [formatPiece(bytes), formatOutcome({ kind: 'whole', sha256: '../../x' })],
      'end',
      'truncated',
    ],
    [
      'says it failed, in words of its own',
      [formatOutcome({ kind: 'failed', reason: '%E0%A4%A \u001b[31m' })],
      'end',
      'device_failed',
    ],
    ['ends within a length', [Buffer.alloc(3)], 'end', 'truncated'],
    ['promises more than it has', [Buffer.from([255, 255, 255, 255]), bytes], 'end', 'truncated'],
  ])('an agent that lies and %s is believed nothing', async (what, parts, ending, reason) => {
    const before = await fixture.listFiles();
    const device = await fixture.addController(
      `LIES-${what
        .replaceAll(/[^a-z]+/g, '-')
        .toUpperCase()
        .slice(0, 28)}X`,
    );
    const socket = await dialAsDevice(fixture.server, device);
    // As far as the server lets it go on at a time.
    const answer = Buffer.concat([Buffer.from('200\n'), ...parts]);
    let sent = 0;
    let collecting = 0;
    const sendUpTo = (streamId: number, credit: number) => {
      if (sent === answer.length) return;
      socket.write(dataFrame(streamId, answer.subarray(sent, credit)));
      sent = Math.min(credit, answer.length);
      if (sent === answer.length)
        socket.write(ending === 'end' ? dataFrame(streamId, '', END) : resetFrame(streamId));
    };
    readRequests(
      socket,
      (streamId, line) => {
        // What else the server asks stays without an answer.
        if (line !== 'POST /v1/diagnostics') return;
        collecting = streamId;
        sendUpTo(streamId, 16 * 1024);
      },
      (streamId, credit) => {
        if (streamId === collecting) sendUpTo(streamId, credit);
      },
    );
    await fixture.request(device);
    expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'failed', reason, size: null });
    expect(await fixture.listFiles()).toEqual(before);
    socket.destroy();
  });
});

describe('a store that lies', () => {
  let url: string;
  beforeAll(async () => {
    const device = await fixture.addController('STORE-LIES');
    await fixture.link(device, collectorOf(bytes));
    await fixture.request(device);
    const { id } = await fixture.waitForEnd(device);
    url = `${fixture.server.publicUrl}/api/v1/download/${id}`;
  });
  afterEach(() => {
    lie = undefined;
  });

  /** All that comes over a connection that the client would use again. */
  async function ask(headers: string, waitMs = 10_000): Promise<{ answer: string; isCut: boolean }> {
    const { host, hostname, port, pathname } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) });
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${fixture.owner.cookie}\r\n${headers}\r\n`,
    );
    const chunks: Buffer[] = [];
    // Where nothing has left before the end, what fails is an answer of its own.
    const isRefused = new Promise<false>((resolve) => {
      socket.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (Buffer.concat(chunks).toString('latin1', 0, 12) === 'HTTP/1.1 500') resolve(false);
      });
    });
    const isCut = await Promise.race([
      once(socket, 'close').then(() => true),
      isRefused,
      delay(waitMs, false, { ref: false }),
    ]);
    return { answer: Buffer.concat(chunks).toString('latin1'), isCut };
  }

  const smuggled = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nevil!');
  const swap = (kept: Buffer) =>
    Buffer.concat([kept.subarray(0, -1), Buffer.from([~(kept.at(-1) ?? 0) & 255])]);

  it.each<[string, string, (kept: Buffer) => Buffer]>([
    ['less than it has kept', '', (kept) => kept.subarray(0, -7)],
    ['nothing', '', () => Buffer.alloc(0)],
    ['more than it has kept', '', (kept) => Buffer.concat([kept, smuggled])],
    ['other bytes than it has kept', '', swap],
    ['less than a part', 'Range: bytes=5-99\r\n', (kept) => kept.subarray(1)],
    ['all instead of a part', 'Range: bytes=5-99\r\n', () => bytes],
  ])(
    'a store that gives %s ends the connection, before a client takes it for whole',
    async (_, headers, how) => {
      lie = how;
      const { answer, isCut } = await ask(headers);
      const [head = ''] = answer.split('\r\n\r\n', 1);
      // Where nothing has left before the end it is an answer of its own.
      if (/^HTTP\/1.1 500/.test(head)) return;
      expect(answer.length - head.length - 4).toBeLessThan(Number(/content-length: (\d+)/i.exec(head)?.[1]));
      expect(isCut).toBe(true);
    },
  );

  it.each(['', 'Range: bytes=5-99\r\n'])(
    'what a store has kept is sent over a connection that stays: %j',
    async (headers) => {
      expect((await ask(headers, 300)).isCut).toBe(false);
    },
  );
});

it('a collection on a full disk fails with that reason, and nothing is left', async () => {
  const before = await fixture.listFiles();
  const device = await fixture.addController('DISK-FULL');
  await fixture.link(device, collectorOf(bytes));
  sabotage = (name) => symlink('/dev/full', join(dataDir, 'archives', `${name}.part`));
  await fixture.request(device);
  expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'failed', reason: 'disk_full' });
  expect(await fixture.listFiles()).toEqual(before);
  sabotage = undefined;
  await fixture.request(device);
  expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'ready', sha256 });
});

it('a store that is away is a reason of its own', async () => {
  const device = await fixture.addController('STORE-AWAY');
  await fixture.link(device, collectorOf(bytes));
  sabotage = () => Promise.reject(new Error('connect ECONNREFUSED'));
  await fixture.request(device);
  expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'failed', reason: 'storage_failed' });
  sabotage = undefined;
});

it('archives of many controllers that come at once do not pass the quota of the organization', async () => {
  const { bytes: large } = createArchive(300_000);
  const devices = await Promise.all(
    Array.from({ length: 6 }, (_, index) => fixture.addController(`QUOTA-${index}`)),
  );
  await Promise.all(devices.map((device) => fixture.link(device, collectorOf(large))));
  await Promise.all(devices.map((device) => fixture.request(device)));
  const ended = await Promise.all(devices.map((device) => fixture.waitForEnd(device)));
  const failed = ended.filter(({ status }) => status === 'failed');
  expect(ended.filter(({ status }) => status === 'ready').length).toBeGreaterThan(0);
  expect(failed.length).toBeGreaterThan(0);
  for (const { reason } of failed) expect(reason).toBe('quota_reached');
  const kept = await Promise.all(
    (await fixture.server.db.selectFrom('diagnostics').select('size').execute()).map(({ size }) =>
      Number(size),
    ),
  );
  const total = kept.reduce((sum, size) => sum + size, 0);
  expect(total).toBeLessThanOrEqual(1_000_000);
  expect((await fixture.listFiles()).length).toBe(kept.filter((size) => size > 0).length);
});
