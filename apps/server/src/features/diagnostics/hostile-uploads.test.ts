import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestDevice, enrolTestDevice, linkTestDevice, tokenOf } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  collectorOf,
  createArchive,
  createDiagnosticsFixture,
  type DiagnosticsFixture,
} from './diagnostics.fixture.ts';

const megabyte = 2 ** 20;
const disk = {
  availableBytes: 10_000 * megabyte,
  measureRoom: async () => ({ availableBytes: disk.availableBytes }),
  readMaxWalSize: async () => 256 * megabyte,
  keepReserve: async () => {},
};
const { bytes } = createArchive();
let fixture: DiagnosticsFixture;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  fixture = await createDiagnosticsFixture({ dataDir, databaseDisk: disk, timing: { diskGuardMs: 5 } });
});
afterAll(async () => {
  await fixture.close();
  await rm(dataDir, { recursive: true });
});

/** Never ends, and is never idle for long enough to be given up. */
const drip = async (signal: AbortSignal) =>
  (async function* () {
    yield bytes.subarray(0, 1_000);
    while (!signal.aborted) {
      await delay(20);
      yield bytes.subarray(0, 1);
    }
  })();

const statusOf = async (device: Parameters<DiagnosticsFixture['list']>[0]) =>
  (await fixture.list(device))[0]?.status;

it('archives leave the database the room on its disk that it needs', async () => {
  const device = await fixture.addController('DISK-LOW');
  const { link } = await fixture.link(device, drip);
  await fixture.request(device);
  await vi.waitFor(async () => expect(await statusOf(device)).toBe('collecting'));
  disk.availableBytes = 600 * megabyte;
  expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'failed', reason: 'disk_full' });
  expect(await fixture.listFiles()).toEqual([]);

  link.close();
  await fixture.link(device, collectorOf(bytes));
  await fixture.request(device);
  await delay(100);
  expect(await statusOf(device)).toBe('requested');
  disk.availableBytes = 10_000 * megabyte;
  expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'ready' });
}, 30_000);

it('archives of one organization that never come to an end leave room for those of others', async () => {
  const slow = await Promise.all(
    Array.from({ length: 9 }, (_, index) => fixture.addController(`SLOW-${index}`)),
  );
  await Promise.all(slow.map((device) => fixture.link(device, drip)));
  await Promise.all(slow.map((device) => fixture.request(device)));
  await vi.waitFor(async () => {
    const statuses = await Promise.all(slow.map(statusOf));
    expect(statuses.filter((status) => status === 'collecting').length).toBeGreaterThanOrEqual(4);
  });

  const { server } = fixture;
  const other = await server.createUser();
  const organization = await server.createOrganization(other);
  const device = createTestDevice('ANOTHER-1');
  const body = { token: tokenOf(await enrolTestDevice(server, device)), organization };
  const headers = { cookie: other.cookie, origin: server.publicUrl };
  await server.call('activateController', { headers, body });
  const linked = await linkTestDevice(server, device, {
    handlers: { collectDiagnostics: collectorOf(bytes) },
  });
  const params = { serialNumber: device.serialNumber };
  await server.call('requestDiagnostic', { headers, params });
  await vi.waitFor(async () => {
    const { body: state } = await server.call('getDiagnostic', { headers, params });
    expect(state).toMatchObject({ status: 'ready' });
  }, 5_000);
  linked.link.close();
}, 30_000);
