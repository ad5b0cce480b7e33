import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, it, vi } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../db/connect.ts';
import { createLog } from '../log.ts';
import { enqueueJob } from './enqueue-job.ts';
import { type Jobs, type QueuedJob, type RecurringJob, startJobs } from './jobs.ts';

let server: TestServer;
let database: DatabaseConnection;
let jobs: Jobs;

beforeEach(async () => {
  server = await createTestServer();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
  const settings = { ...inject('databaseServer'), database: rows[0]?.name ?? '' };
  database = connectDatabase(settings, createLog('silent'), 5);
});
afterEach(async () => {
  await jobs.stop();
  await database.close();
  await server.close();
});

const never = '0 0 29 2 *';
const start = async (...list: (RecurringJob | QueuedJob)[]) => {
  jobs = await startJobs(database.pool, list, createLog('silent'), server.server.node);
};
const add = (name: string) => database.pool.query('select graphile_worker.add_job($1)', [name]);

it('runs the job that is due', async () => {
  const run = vi.fn(async () => {});
  const other = vi.fn(async () => {});
  await start({ name: 'clean', schedule: never, run }, { name: 'other', schedule: never, run: other });
  await add('clean');
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), 10_000);
  expect(other).not.toHaveBeenCalled();
});

it('keeps a job that failed for another try, and goes on with others', async () => {
  const run = vi.fn(async () => {});
  await start(
    { name: 'breaks', schedule: never, run: () => Promise.reject(new Error('broken')) },
    { name: 'clean', schedule: never, run },
  );
  await add('breaks');
  await add('clean');
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), 10_000);
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query('select attempts, last_error from graphile_worker.jobs');
    expect(rows).toEqual([{ attempts: 1, last_error: expect.stringContaining('broken') }]);
  }, 10_000);
});

it('waits at its stop for what is running', async () => {
  let finish = () => {};
  const running = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const run = vi.fn(() => running);
  await start({ name: 'long', schedule: never, run });
  await add('long');
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), 10_000);
  let isStopped = false;
  const stopping = jobs.stop().then(() => {
    isStopped = true;
  });
  await database.pool.query('select 1');
  expect(isStopped).toBe(false);
  finish();
  await stopping;
  jobs = { stop: async () => {} };
});

it('the server’s own jobs have schedules that can be read', async () => {
  await start(...server.server.jobs);
  const names = server.server.jobs.map((job) => job.name).sort();
  await vi.waitFor(async () => {
    const { rows } = await database.pool.query(
      'select identifier from graphile_worker._private_known_crontabs',
    );
    expect(rows.map((row) => row.identifier).sort()).toEqual(names);
  }, 10_000);
});

const enqueue = (payload: unknown, key = 'one', delay = 0) =>
  server.db
    .transaction()
    .execute((transaction) => enqueueJob(transaction, { name: 'greet', key, payload, delay }));

it('a queued job runs with its payload, the last one under a key', async () => {
  const run = vi.fn<QueuedJob['run']>(async () => {});
  await enqueue({ name: 'Anna' });
  await enqueue({ name: 'Boris' });
  await enqueue({ name: 'Clara' }, 'two');
  await start({ name: 'greet', run });
  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), 10_000);
  // In any order: each of the workers takes what is next.
  const payloads = run.mock.calls.map(([payload]) => payload);
  expect(payloads).toHaveLength(2);
  expect(payloads).toEqual(expect.arrayContaining([{ name: 'Boris' }, { name: 'Clara' }]));
});

it('goes on with everything else, however many slow jobs wait for somebody', async () => {
  let finish = () => {};
  const answer = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const ask = vi.fn(() => answer);
  const clean = vi.fn(async () => {});
  await start({ name: 'greet', isSlow: true, run: ask }, { name: 'clean', schedule: never, run: clean });
  for (let count = 0; count < 12; count += 1) await enqueue('hello', `to ${count}`);
  await vi.waitFor(() => expect(ask).toHaveBeenCalledTimes(4), 10_000);
  await add('clean');
  await vi.waitFor(() => expect(clean).toHaveBeenCalledOnce(), 10_000);
  expect(ask).toHaveBeenCalledTimes(4);
  finish();
});

it('runs a recurring job never beside itself, so that one that hangs leaves the workers to the rest', async () => {
  let finish = () => {};
  const answer = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const hang = vi.fn(() => answer);
  const clean = vi.fn(async () => {});
  await start({ name: 'hang', schedule: never, run: hang }, { name: 'clean', schedule: never, run: clean });
  for (let count = 0; count < 6; count += 1) await add('hang');
  await vi.waitFor(() => expect(hang).toHaveBeenCalledOnce(), 10_000);
  await add('clean');
  await vi.waitFor(() => expect(clean).toHaveBeenCalledOnce(), 10_000);
  expect(hang).toHaveBeenCalledOnce();
  finish();
});

it('leaves what is queued for later', async () => {
  const run = vi.fn(async () => {});
  await enqueue('later', 'one', 3600);
  await enqueue('now', 'two');
  await start({ name: 'greet', run });
  await vi.waitFor(() => expect(run).toHaveBeenCalledWith('now', expect.anything()), 10_000);
  expect(run).toHaveBeenCalledOnce();
});

it('a job of a transaction that failed does not run', async () => {
  const run = vi.fn(async () => {});
  await server.db
    .transaction()
    .execute(async (transaction) => {
      await enqueueJob(transaction, { name: 'greet', key: 'one', payload: 'never', delay: 0 });
      throw new Error('rolled back');
    })
    .catch(() => {});
  await enqueue('now', 'two');
  await start({ name: 'greet', run });
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), 10_000);
  expect(run).toHaveBeenCalledWith('now', expect.anything());
});

it('tells what goes on for long at its stop to end', async () => {
  let isAborted = false;
  const run = vi.fn<QueuedJob['run']>(
    (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          isAborted = true;
          resolve();
        });
      }),
  );
  await start({ name: 'greet', run });
  await enqueue('for ever');
  await vi.waitFor(() => expect(run).toHaveBeenCalledOnce(), 10_000);
  await jobs.stop();
  expect(isAborted).toBe(true);
  jobs = { stop: async () => {} };
}, 15_000);

it('the job runner stops while the database is away', async () => {
  await start({ name: 'clean', schedule: never, run: async () => {} });
  const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const connect = vi.spyOn(database.pool, 'connect').mockImplementation(() => Promise.reject(away()));
  await vi.waitFor(() => expect(connect).toHaveBeenCalled(), 10_000);
  await jobs.stop();
  jobs = { stop: async () => {} };
}, 15_000);

it('the job runner has noted what is done when it has stopped', async () => {
  const run = vi.fn(async () => {});
  for (let count = 0; count < 8; count += 1) await enqueue(count, `job ${count}`);
  await start({ name: 'greet', run });
  await vi.waitFor(() => expect(run).toHaveBeenCalled(), 10_000);
  await jobs.stop();
  const { rows } = await database.pool.query('select 1 from graphile_worker._private_jobs');
  expect(rows).toHaveLength(8 - run.mock.calls.length);
  jobs = { stop: async () => {} };
});
