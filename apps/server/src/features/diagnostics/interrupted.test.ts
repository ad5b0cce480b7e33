import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { ArchiveError, createArchiveStore } from './archives/index.ts';
import {
  collectorOf,
  createArchive,
  createDiagnosticsFixture,
  type DiagnosticsFixture,
} from './diagnostics.fixture.ts';

async function createFixture(): Promise<{ fixture: DiagnosticsFixture; dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  return { fixture: await createDiagnosticsFixture({ dataDir }), dataDir };
}

/** Gives the beginning, and then nothing until it is told to leave. */
const endless = async (signal: AbortSignal) =>
  (async function* () {
    yield createArchive(5000).bytes.subarray(0, 4000);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  })();

it('what a killed server was collecting is failed at the next start, with nothing left of it', async () => {
  const { fixture } = await createFixture();
  onTestFinished(() => fixture.close());
  const device = await fixture.addController('KILLED-1');
  const { body } = await fixture.request(device);
  const { id } = body as { id: string };
  const { db, server } = fixture.server;
  // As it stood at the moment: all was there but the word that it is.
  await db.updateTable('diagnostics').set({ status: 'collecting', progress: 4000 }).execute();
  await server.archives.save(id, Readable.from([createArchive().bytes]));
  await server.recoverFromCrash();
  expect((await fixture.list(device))[0]).toMatchObject({ status: 'failed', reason: 'server_stopped' });
  expect(await fixture.listFiles()).toEqual([]);
  expect((await fixture.request(device)).status).toBe(202);
});

it('a server whose store is away starts all the same, and ends what was interrupted', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const folder = await createArchiveStore({ dataDir, s3: undefined });
  const remove = () => Promise.reject(new ArchiveError('failed', 'connect ECONNREFUSED'));
  const fixture = await createDiagnosticsFixture({ dataDir, archives: { ...folder, remove } });
  onTestFinished(() => fixture.close());
  const devices = [await fixture.addController('AWAY-1'), await fixture.addController('AWAY-2')];
  for (const device of devices) await fixture.request(device);
  await fixture.server.db.updateTable('diagnostics').set({ status: 'collecting' }).execute();
  await fixture.server.server.recoverFromCrash();
  for (const device of devices) {
    expect((await fixture.list(device))[0]).toMatchObject({ status: 'failed', reason: 'server_stopped' });
  }
});

it('what no server holds any more is failed a minute later', async () => {
  const { fixture } = await createFixture();
  onTestFinished(() => fixture.close());
  const device = await fixture.addController('LEASE-1');
  await fixture.request(device);
  const lease_until = new Date(fixture.server.clock.now().getTime() + 60_000);
  await fixture.server.db.updateTable('diagnostics').set({ status: 'collecting', lease_until }).execute();
  const tend = fixture.server.server.jobs.find(({ name }) => name === 'tend-diagnostics');
  fixture.server.clock.advance(59_000);
  await tend?.run();
  expect((await fixture.list(device))[0]).toMatchObject({ status: 'collecting' });
  fixture.server.clock.advance(1000);
  await tend?.run();
  expect((await fixture.list(device))[0]).toMatchObject({ status: 'failed', reason: 'server_stopped' });
});

it('a server that stops ends what it collects, and says so before it is gone', async () => {
  const { fixture, dataDir } = await createFixture();
  const device = await fixture.addController('STOPS-1');
  await fixture.link(device, endless);
  await fixture.request(device);
  await expect.poll(async () => (await fixture.list(device))[0]?.progress).toBe(4000);
  const told: string[] = [];
  fixture.server.server.events.subscribe('organization', ({ event }) => {
    if (event.type === 'diagnostic.status') told.push(event.status);
  });
  await fixture.close();
  expect(told).toEqual(['failed']);
  expect(await readdir(join(dataDir, 'archives'))).toEqual([]);
});

it('a request whose link came unnoticed is begun by the next look', async () => {
  const { fixture } = await createFixture();
  onTestFinished(() => fixture.close());
  const device = await fixture.addController('LATE-1');
  await fixture.link(device, collectorOf(createArchive().bytes));
  // As if it had been asked for while this server did not listen.
  const { db, clock } = fixture.server;
  const controller = await db.selectFrom('controllers').select('id').executeTakeFirstOrThrow();
  await db
    .insertInto('diagnostics')
    .values({
      id: '018f0000-0000-7000-8000-000000000000',
      controller_id: controller.id,
      status: 'requested',
      created_at: clock.now(),
    })
    .execute();
  await fixture.server.server.jobs.find(({ name }) => name === 'tend-diagnostics')?.run();
  expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'ready', requestedBy: null });
});

it('many that wait for a fleet are all collected, some at a time', async () => {
  const { fixture } = await createFixture();
  onTestFinished(() => fixture.close());
  let atOnce = 0;
  let most = 0;
  const { bytes } = createArchive(3000);
  const collect = async () =>
    (async function* () {
      atOnce += 1;
      most = Math.max(most, atOnce);
      yield bytes;
      await new Promise((resolve) => setImmediate(resolve));
      atOnce -= 1;
    })();
  const devices = await Promise.all(
    Array.from({ length: 30 }, (_, index) => fixture.addController(`FLEET-${index}`)),
  );
  await Promise.all(devices.map((device) => fixture.request(device)));
  await Promise.all(devices.map((device) => fixture.link(device, collect)));
  const ended = await Promise.all(devices.map((device) => fixture.waitForEnd(device)));
  expect(ended.every(({ status }) => status === 'ready')).toBe(true);
  expect(most).toBeLessThanOrEqual(8);
});

it('diagnostics of a controller that is deleted at that moment are refused, as of one that is none', async () => {
  const { fixture } = await createFixture();
  onTestFinished(() => fixture.close());
  const device = await fixture.addController('GOING-1');
  const { db, isWaitingForLock } = fixture.server;
  let request: ReturnType<DiagnosticsFixture['request']> | undefined;
  await db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('controllers').where('serial_number', '=', device.serialNumber).execute();
    request = fixture.request(device);
    await expect.poll(isWaitingForLock).toBe(true);
  });
  const answer = await request;
  expect(answer).toMatchObject({ status: 404, body: { code: 'controller_not_found' } });
  expect(answer?.body).toEqual((await fixture.request(device)).body);
});
