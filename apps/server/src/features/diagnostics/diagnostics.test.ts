import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Diagnostic, DiagnosticState } from '@pult/contract';
import { ServiceError } from '@pult/link';
import { createDeferred } from '@pult/testkit/in-test';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  collectorOf,
  createArchive,
  createDiagnosticsFixture,
  type DiagnosticsFixture,
} from './diagnostics.fixture.ts';

let fixture: DiagnosticsFixture;
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'pult-diagnostics-'));
  fixture = await createDiagnosticsFixture({
    dataDir,
    environment: { DIAGNOSTICS_MAX_MB: '1', DIAGNOSTICS_KEEP: '2' },
  });
});
afterAll(async () => {
  await fixture.close();
  await rm(dataDir, { recursive: true });
});

const getState = async (serialNumber: string) => {
  const { body } = await fixture.call('getDiagnostic', { serialNumber });
  // The server has checked its answer against the contract.
  return body as DiagnosticState;
};

const readAudit = async (action: string) => {
  const rows = fixture.server.db.selectFrom('audit_events').selectAll().where('action', '=', action);
  return rows.orderBy('id').execute();
};

describe('diagnostics of a linked controller', () => {
  // spec: 3.08, 7.22
  it('diagnostics of a linked controller are requested, collected and ready, and each step is told to the organization', async () => {
    const device = await fixture.addController('LINKED-1');
    const told: string[] = [];
    const end = fixture.server.server.events.subscribe('organization', ({ event }) => {
      if (event.type === 'diagnostic.status' && event.serialNumber === 'LINKED-1') told.push(event.status);
    });
    expect(await getState('LINKED-1')).toEqual({ status: 'not_requested', id: null, created: null });
    const { bytes, sha256 } = createArchive();
    await fixture.link(device, collectorOf(bytes));
    const answer = await fixture.request(device);
    expect([answer.status, answer.body]).toEqual([
      202,
      { status: 'requested', id: expect.any(String), created: fixture.server.clock.now().toISOString() },
    ]);
    const { id } = answer.body as DiagnosticState;
    expect(await fixture.waitForEnd(device)).toEqual({
      id,
      status: 'ready',
      reason: null,
      detail: null,
      progress: bytes.length,
      size: bytes.length,
      sha256,
      created: fixture.server.clock.now().toISOString(),
      finished: fixture.server.clock.now().toISOString(),
      requestedBy: { id: fixture.owner.id, email: fixture.owner.email },
    });
    expect(await getState('LINKED-1')).toMatchObject({ status: 'ready', id });
    end();
    expect([...new Set(told)]).toEqual(['requested', 'collecting', 'ready']);
    expect(await readAudit('diagnostic.requested')).toMatchObject([
      { subject: 'LINKED-1', user_id: fixture.owner.id, organization_id: fixture.organization },
    ]);
  });

  it('diagnostics of a controller whose connection gives none are refused, and not kept waiting', async () => {
    const device = await fixture.addController('BY-SSH-1');
    const { db } = fixture.server;
    await db
      .updateTable('controllers')
      .set({ connection_kind: 'ssh' })
      .where('serial_number', '=', 'BY-SSH-1')
      .execute();
    const { status, body } = await fixture.request(device);
    expect([status, body]).toMatchObject([409, { code: 'diagnostic_not_given' }]);
    expect(await getState('BY-SSH-1')).toMatchObject({ status: 'not_requested' });
  });

  // spec: 7.23
  it('diagnostics of a linked controller are one at a time, however many ask at once', async () => {
    const device = await fixture.addController('RACE-1');
    const [first, second] = [fixture.owner, await fixture.addUser('member')];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => fixture.request(device, index % 2 ? first : second)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 202);
    for (const { status, body } of refused) {
      expect([status, body]).toMatchObject([409, { code: 'diagnostic_in_progress' }]);
    }
    expect(await fixture.list(device)).toHaveLength(1);
  });

  it('tell how far they are while they come', async () => {
    const device = await fixture.addController('PROGRESS-1');
    const { bytes } = createArchive();
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    await fixture.link(device, async () =>
      (async function* () {
        yield bytes.subarray(0, 50_000);
        await finished;
        yield bytes.subarray(50_000);
      })(),
    );
    await fixture.request(device);
    await expect
      .poll(async () => (await fixture.list(device))[0])
      .toMatchObject({ status: 'collecting', progress: 50_000, size: null });
    finish();
    expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'ready', progress: bytes.length });
  });

  it('the progress of diagnostics is told up to the last byte, also of what comes while it is written', async () => {
    const device = await fixture.addController('PROGRESS-2');
    const { bytes } = createArchive();
    const [second, third, rest] = [createDeferred(), createDeferred(), createDeferred()];
    await fixture.link(device, async () =>
      (async function* () {
        yield bytes.subarray(0, 20_000);
        await second.promise;
        yield bytes.subarray(20_000, 30_000);
        await third.promise;
        yield bytes.subarray(30_000, 50_000);
        await rest.promise;
        yield bytes.subarray(50_000);
      })(),
    );
    await fixture.request(device);
    const read = async () => (await fixture.list(device))[0];
    await expect.poll(read).toMatchObject({ progress: 20_000 });
    const id = (await read())?.id ?? '';
    await fixture.server.db.transaction().execute(async (transaction) => {
      await transaction.selectFrom('diagnostics').select('id').where('id', '=', id).forUpdate().execute();
      second.resolve();
      await expect.poll(fixture.server.isWaitingForLock).toBe(true);
      third.resolve();
      await expect.poll(async () => (await stat(join(dataDir, 'archives', `${id}.part`))).size).toBe(50_000);
    });
    await expect.poll(read).toMatchObject({ status: 'collecting', progress: 50_000 });
    rest.resolve();
    expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'ready' });
  });

  it('diagnostics of a linked controller are kept as many as the settings say, with their archives', async () => {
    const device = await fixture.addController('KEEP-1');
    await fixture.link(device, collectorOf(createArchive(2000).bytes));
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      await fixture.request(device);
      ids.unshift((await fixture.waitForEnd(device)).id);
    }
    await expect.poll(async () => (await fixture.list(device)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const files = await fixture.listFiles();
    expect(ids.map((id) => files.includes(id))).toEqual([true, true, false]);
    const { mode } = await stat(join(dataDir, 'archives', ids[0] ?? ''));
    expect(mode & 0o777).toBe(0o600);
  });
});

describe('diagnostics of an offline controller', () => {
  // spec: 7.23
  it('wait for its link, and begin then', async () => {
    const device = await fixture.addController('WAITS-1');
    await fixture.request(device);
    expect(await getState('WAITS-1')).toMatchObject({ status: 'requested' });
    await fixture.link(device, collectorOf(createArchive().bytes));
    expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'ready' });
  });

  it('fail after a day, and may then be requested again', async () => {
    const device = await fixture.addController('EXPIRES-1');
    await fixture.request(device);
    const tend = fixture.server.server.jobs.find(({ name }) => name === 'tend-diagnostics');
    fixture.server.clock.advance(24 * 3600_000 - 1000);
    await tend?.run();
    expect(await getState('EXPIRES-1')).toMatchObject({ status: 'requested' });
    fixture.server.clock.advance(1000);
    await tend?.run();
    expect(await fixture.waitForEnd(device)).toMatchObject({ status: 'failed', reason: 'expired' });
    expect((await fixture.request(device)).status).toBe(202);
  });
});

describe('diagnostics that come to nothing', () => {
  const { bytes } = createArchive();

  async function expectFailure(
    { addController, link, listFiles, request, waitForEnd }: DiagnosticsFixture,
    what: string,
    collect: Parameters<DiagnosticsFixture['link']>[1],
    failure: Pick<Diagnostic, 'reason' | 'detail'>,
  ) {
    const before = await listFiles();
    const device = await addController(`FAILS-${what.replaceAll(' ', '-').toUpperCase().slice(0, 25)}`);
    await link(device, collect);
    await request(device);
    const ended = await waitForEnd(device);
    expect(ended).toMatchObject({ status: 'failed', ...failure, size: null, sha256: null });
    expect(await listFiles()).toEqual(before);
  }

  it.each([
    ['of an agent without them', undefined, 'not_supported', null],
    [
      'of an agent that refuses',
      () => Promise.reject(new ServiceError('service_refused', 'busy')),
      'device_failed',
      'busy',
    ],
    [
      'of a collector that fails on the way',
      async () =>
        (async function* () {
          yield bytes.subarray(0, 50_000);
          throw new Error('no space left <b>here</b>');
        })(),
      'device_failed',
      'no space left <b>here</b>',
    ],
    ['that are no archive', collectorOf(Buffer.from('<html>nothing</html>')), 'not_an_archive', null],
    ['that are empty', collectorOf(Buffer.alloc(0)), 'not_an_archive', null],
    ['that are of two bytes', collectorOf(bytes.subarray(0, 2)), 'not_an_archive', null],
    ['that are too large', collectorOf(createArchive(1_100_000).bytes), 'too_large', null],
    [
      'that never end',
      async () =>
        (async function* () {
          yield bytes;
          for (;;) yield Buffer.alloc(100_000);
        })(),
      'too_large',
      null,
    ],
  ] as const)('%s fail with the reason and leave nothing', (what, collect, reason, detail) =>
    expectFailure(fixture, what, collect, { reason, detail }),
  );

  describe('on a server of little patience', () => {
    let hasty: DiagnosticsFixture;
    beforeAll(async () => {
      hasty = await createDiagnosticsFixture({
        dataDir: join(dataDir, 'hasty'),
        timing: { diagnostics: { firstByteMs: 400, idleMs: 400, totalMs: 1500 } },
      });
    });
    afterAll(() => hasty.close());

    it.each([
      [
        'that stop coming',
        async (signal: AbortSignal) =>
          (async function* () {
            yield bytes.subarray(0, 1000);
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
          })(),
        'stalled',
      ],
      [
        'that never begin',
        async (signal: AbortSignal) =>
          (async function* (): AsyncGenerator<Buffer> {
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
          })(),
        'stalled',
      ],
      [
        'that drip',
        async (signal: AbortSignal) =>
          (async function* () {
            for (let at = 0; !signal.aborted; at += 1) {
              yield bytes.subarray(at, at + 1);
              await new Promise((resolve) => setTimeout(resolve, 50));
            }
          })(),
        'too_slow',
      ],
    ] as const)('%s fail with the reason and leave nothing', (what, collect, reason) =>
      expectFailure(hasty, what, collect, { reason, detail: null }),
    );
  });

  it('diagnostics that come to nothing of a device that dies in the middle fail, as do those whose controller is deleted', async () => {
    const before = await fixture.listFiles();
    const collect = async (signal: AbortSignal) =>
      (async function* () {
        while (!signal.aborted) {
          yield bytes.subarray(0, 4000);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      })();
    const dying = await fixture.addController('DIES-1');
    const linked = await fixture.link(dying, collect);
    await fixture.request(dying);
    await expect.poll(async () => (await fixture.list(dying))[0]?.progress).toBeGreaterThan(0);
    linked.cut();
    expect(await fixture.waitForEnd(dying)).toMatchObject({ status: 'failed', reason: 'link_lost' });

    const deleted = await fixture.addController('DELETED-1');
    await fixture.link(deleted, collect);
    const { id } = (await fixture.request(deleted)).body as DiagnosticState;
    await expect.poll(async () => (await fixture.list(deleted))[0]?.progress).toBeGreaterThan(0);
    await fixture.call('deleteController', { serialNumber: deleted.serialNumber });
    const row = fixture.server.db
      .selectFrom('diagnostics')
      .select('id')
      .where('id', '=', id ?? '');
    await expect.poll(() => row.execute()).toEqual([]);
    await expect.poll(() => fixture.listFiles()).toEqual(before);
  });
});

it('deleting a controller deletes its archives', async () => {
  const device = await fixture.addController('GOES-1');
  await fixture.link(device, collectorOf(createArchive().bytes));
  await fixture.request(device);
  const { id } = await fixture.waitForEnd(device);
  expect(await fixture.listFiles()).toContain(id);
  await fixture.call('deleteController', { serialNumber: 'GOES-1' });
  await expect.poll(() => fixture.listFiles()).not.toContain(id);
  expect((await fixture.call('downloadDiagnostic', { id })).status).toBe(404);
});

it('what is older than the settings say goes, whatever its end', async () => {
  const device = await fixture.addController('OLD-1');
  await fixture.link(device, collectorOf(createArchive().bytes));
  await fixture.request(device);
  const { id } = await fixture.waitForEnd(device);
  const clean = fixture.server.server.jobs.find(({ name }) => name === 'delete-old-diagnostics');
  await clean?.run();
  expect(await fixture.list(device)).toHaveLength(1);
  const created_at = new Date(fixture.server.clock.now().getTime() - 91 * 24 * 3600_000);
  await fixture.server.db.updateTable('diagnostics').set({ created_at }).where('id', '=', id).execute();
  await clean?.run();
  expect(await fixture.list(device)).toEqual([]);
  expect(await fixture.listFiles()).not.toContain(id);
});
