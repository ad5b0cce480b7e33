import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { performServerHandshake, type ServerHttp2Stream } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dialAsDevice } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  const folder = await createArchiveStore({ dataDir, s3: undefined });
  const archives: ArchiveStore = {
    ...folder,
    async save(name, source) {
      await sabotage?.(name);
      return folder.save(name, source);
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

function respond(stream: ServerHttp2Stream, trailers: Record<string, string>, body = bytes): void {
  stream.respond({ ':status': 200 }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.end(body);
}

describe('an agent that lies', () => {
  it.each<[string, (stream: ServerHttp2Stream) => void, string]>([
    [
      'ends without a checksum',
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.end(bytes);
      },
      'truncated',
    ],
    [
      'cuts its answer',
      (stream) => {
        stream.respond({ ':status': 200 });
        stream.write(bytes.subarray(0, 50_000), () => stream.destroy(new Error('cut')));
      },
      'truncated',
    ],
    [
      'gives another checksum',
      (stream) => respond(stream, { 'pult-sha256': 'a'.repeat(64) }),
      'checksum_mismatch',
    ],
    [
      'leaves the last byte out',
      (stream) => respond(stream, { 'pult-sha256': sha256 }, bytes.subarray(0, -1)),
      'checksum_mismatch',
    ],
    ['gives no checksum but words', (stream) => respond(stream, { 'pult-sha256': '../../x' }), 'truncated'],
    [
      'says it failed, in words of its own',
      (stream) => respond(stream, { 'pult-failure': '%E0%A4%A %1b[31m' }),
      'device_failed',
    ],
  ])('an agent that lies and %s is believed nothing', async (what, answer, reason) => {
    const before = await fixture.listFiles();
    const device = await fixture.addController(
      `LIES-${what
        .replaceAll(/[^a-z]+/g, '-')
        .toUpperCase()
        .slice(0, 28)}X`,
    );
    const socket = await dialAsDevice(fixture.server, device);
    const session = performServerHandshake(socket);
    session.on('error', () => {});
    session.on('stream', (stream, headers) => {
      stream.on('error', () => {});
      // What else the server asks stays without an answer.
      if (headers[':path'] === '/v1/diagnostics') answer(stream);
    });
    await fixture.request(device);
    expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'failed', reason, size: null });
    expect(await fixture.listFiles()).toEqual(before);
    socket.destroy();
  });
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
