import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, TestClock, type TestServer } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { DiskGuard, DiskRoom } from '../../../platform/disk-guard.ts';
import { createLog } from '../../../platform/log.ts';
import { createBackupRunsRepository } from './backup-runs.repository.ts';
import { createFolderPlace } from './places/folder.ts';
import { createScheduledBackups } from './scheduled-backups.ts';

const day = 24 * 3_600_000;
let server: TestServer;
let folder: string;
let clock: TestClock;
let setRoom: (room: DiskRoom) => void;
let diskGuard: Pick<DiskGuard, 'room' | 'onChange'>;
const log = { ...createLog('silent'), info: vi.fn(), error: vi.fn() } as unknown as ReturnType<
  typeof createLog
>;

beforeAll(async () => {
  server = await createTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.db.deleteFrom('backup_runs').execute();
  folder = await mkdtemp(join(tmpdir(), 'pult-scheduled-'));
  // A minute past three in the morning, wherever the tests run.
  clock = new TestClock(new Date(2026, 6, 1, 3, 1));
  let room: DiskRoom = 'enough';
  const listeners = new Set<(room: DiskRoom) => void>();
  diskGuard = {
    get room() {
      return room;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  setRoom = (next) => {
    room = next;
    for (const listener of listeners) listener(room);
  };
  return () => rm(folder, { recursive: true });
});

const write = async (name: string) => {
  await writeFile(join(folder, name), 'a backup');
  return 8;
};

const daily = '0 3 * * *';
const create = (
  run: (name: string, signal: AbortSignal) => Promise<number> = write,
  schedule: string | null = daily,
) =>
  createScheduledBackups({
    repository: createBackupRunsRepository(server.db),
    place: createFolderPlace(folder),
    run,
    settings: { schedule: schedule ?? undefined, kept: { days: 2, weeks: 0, months: 0 }, recipients: [] },
    diskGuard,
    node: { id: 'gone' },
    clock,
    log,
  });

it('a backup is made once when it is due, by one of two servers, and again the next day', async () => {
  const run = vi.fn(write);
  const servers = [create(run), create(run)];
  const lookAll = async () => {
    await Promise.all(servers.map((each) => each.beginDue()));
    await Promise.all(servers.map((each) => each.whenIdle()));
  };
  await lookAll();
  await lookAll();
  expect(run).toHaveBeenCalledOnce();
  clock.advance(day);
  await lookAll();
  expect(run).toHaveBeenCalledTimes(2);
});

it('backups that are kept no longer go when a new one is there', async () => {
  const backups = create();
  for (let index = 0; index < 4; index += 1) {
    await backups.beginDue();
    await backups.whenIdle();
    clock.advance(day);
  }
  const names = await readdir(folder);
  expect(names).toHaveLength(2);
  await expect(backups.getFigures()).resolves.toMatchObject({
    isScheduled: true,
    isOverdue: false,
    lastFailure: undefined,
    lastSuccess: { bytes: 8, ageSeconds: day / 1000 },
  });
});

it('a backup that failed is told, and tried again half an hour later', async () => {
  const run = vi.fn(write).mockRejectedValueOnce(new Error('no room'));
  const backups = create(run);
  const look = async () => {
    await backups.beginDue();
    await backups.whenIdle();
  };
  await look();
  expect(await backups.getFigures()).toMatchObject({
    lastSuccess: undefined,
    lastFailure: { reason: 'no room' },
  });
  expect(log.error).toHaveBeenCalledWith(
    expect.objectContaining({ err: expect.any(Error) }),
    'the backup failed',
  );
  await look();
  expect(run).toHaveBeenCalledOnce();
  clock.advance(31 * 60_000);
  await look();
  expect(run).toHaveBeenCalledTimes(2);
  expect(await backups.getFigures()).toMatchObject({ lastFailure: undefined, lastSuccess: { bytes: 8 } });
});

it('a backup that is older than twice the interval is told once an hour', async () => {
  const run = vi.fn(write).mockRejectedValue(new Error('no room'));
  const backups = create(run);
  const overdue = () =>
    vi.mocked(log.error).mock.calls.filter(([, text]) => /older than twice/.test(String(text)));
  await backups.beginDue();
  await backups.whenIdle();
  expect(overdue()).toEqual([]);
  clock.advance(2 * day + 60_000);
  for (const _ of [1, 2]) {
    await backups.beginDue();
    await backups.whenIdle();
  }
  expect(overdue()).toHaveLength(1);
  expect((await backups.getFigures()).isOverdue).toBe(true);
  clock.advance(3_600_001);
  await backups.beginDue();
  await backups.whenIdle();
  expect(overdue()).toHaveLength(2);
});

it('a server that stops ends its backup, and what was under way when one was killed has failed', async () => {
  const hang = (_: string, signal: AbortSignal) =>
    new Promise<number>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const backups = create(hang);
  await backups.beginDue();
  await backups.stop();
  expect(await backups.getFigures()).toMatchObject({ lastFailure: { reason: 'the server stops' } });
  const repository = createBackupRunsRepository(server.db);
  await server.db.updateTable('backup_runs').set({ status: 'running' }).execute();
  await repository.endInterrupted(clock.now(), new Date(clock.now().getTime() + 1), server.server.node);
  expect(await repository.getLast()).toMatchObject({ status: 'failed', error: 'the server ended meanwhile' });
});

it('a backup that is asked for is made at once, without a schedule too, and not beside another one', async () => {
  let finish = () => {};
  const hang = vi.fn(
    () =>
      new Promise<number>((resolve) => {
        finish = () => resolve(8);
      }),
  );
  const backups = create(hang, null);
  const names = await Promise.all([backups.beginNow('a@example.com'), backups.beginNow('a@example.com')]);
  expect(names.filter((name) => name !== undefined)).toEqual(['pult-20260701-030100.tar.gz']);
  expect(await backups.getFigures()).toMatchObject({
    isScheduled: false,
    isUnderWay: true,
    isOverdue: false,
  });
  expect(await backups.beginNow('a@example.com')).toBeUndefined();
  finish();
  await backups.whenIdle();
  expect(hang).toHaveBeenCalledOnce();
  expect(await backups.getFigures()).toMatchObject({
    isUnderWay: false,
    nextAt: undefined,
    lastSuccess: { name: 'pult-20260701-030100.tar.gz', at: clock.now(), bytes: 8 },
  });
  expect(backups.outcomes.read('outcome')).toContainEqual({ labels: { outcome: 'done' }, value: 1 });
});

it('all backups are listed with how they came about and by whom; those by a command count for nothing else', async () => {
  const repository = createBackupRunsRepository(server.db);
  const backups = create(write, null);
  await backups.beginNow('a@example.com');
  await backups.whenIdle();
  const at = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000);
  const command = { startedAt: at(1), endedAt: at(2), requestedBy: 'root' };
  await repository.record(randomUUID(), { ...command, name: 'by-hand.tar.gz', size: 9, error: null });
  await repository.record(randomUUID(), {
    ...command,
    startedAt: at(3),
    name: 'lost',
    size: null,
    error: 'no room',
  });
  const { runs, lastSuccess, lastFailure } = await backups.getFigures();
  expect(
    runs.map(({ name, origin, requestedBy, status, size, error }) => [
      name,
      origin,
      requestedBy,
      status,
      size,
      error,
    ]),
  ).toEqual([
    ['lost', 'command', 'root', 'failed', null, 'no room'],
    ['by-hand.tar.gz', 'command', 'root', 'done', 9, null],
    ['pult-20260701-030100.tar.gz', 'console', 'a@example.com', 'done', 8, null],
  ]);
  expect([lastSuccess?.bytes, lastFailure]).toEqual([8, undefined]);
});

it('no backup is made while the disk is nearly full, the one under way ends, and the next is made when there is room', async () => {
  const endUponAbort = (_: string, signal: AbortSignal) =>
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  const run = vi.fn<(name: string, signal: AbortSignal) => Promise<number>>(write);
  run.mockImplementationOnce(endUponAbort);
  const backups = create(run);
  await backups.beginNow('a@example.com');
  setRoom('low');
  await backups.whenIdle();
  expect((await backups.getFigures()).lastFailure?.reason).toBe('the disk is nearly full');
  clock.advance(day);
  await backups.beginDue();
  await expect(backups.beginNow('a@example.com')).rejects.toMatchObject({ code: 'storage_full' });
  expect(run).toHaveBeenCalledTimes(1);
  setRoom('enough');
  await backups.beginDue();
  await backups.whenIdle();
  expect(run).toHaveBeenCalledTimes(2);
  expect((await backups.getFigures()).lastFailure).toBeUndefined();
});
