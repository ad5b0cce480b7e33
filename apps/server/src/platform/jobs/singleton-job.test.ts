import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, inject, it, onTestFinished, vi } from 'vitest';
import type { NodeSettings } from '../../config/node-settings.ts';
import { createNode, type Node } from '../cluster/index.ts';
import { connectDatabase } from '../db/connect.ts';
import { createLog } from '../log.ts';
import { createJobsRepository } from './jobs.repository.ts';
import { startJobs } from './jobs.ts';
import { createSingletonJobs } from './singleton-job.ts';

const log = createLog('silent');
const settings: NodeSettings = {
  natsUrls: ['nats://127.0.0.1:4222'],
  isNatsInsecure: false,
  address: { host: '10.0.0.5', port: 7200 },
  port: 7200,
};
let server: TestServer;

beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.close());

/** One of several nodes over the test's database, by connections of its own. */
async function startNode() {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(server.db);
  const connection = connectDatabase({ ...inject('databaseServer'), database: rows[0]?.name ?? '' }, log, 5);
  const node = createNode({
    settings,
    installationKey: server.secrets.encryptionKey,
    version: '1.2.3',
    db: connection.db,
    log,
    countLinks: () => 0,
    clean: async () => {},
    timing: {},
  });
  await node.join();
  onTestFinished(async () => {
    await node.leave();
    await connection.close();
  });
  return { node, pool: connection.pool, runSingleton: createSingletonJobs(connection.pool, node) };
}

/** A job that goes on until it is told to end. */
function createLongJob(name: string) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  onTestFinished(() => end());
  return { name, run: vi.fn(() => ended), end };
}

const unlockLeft = (node: Node) => createJobsRepository(server.db).unlockLeft(node);

it('a recurring job that one node runs is left by the others until it has ended', async () => {
  const [first, second] = [await startNode(), await startNode()];
  const long = createLongJob('clean');
  const running = first.runSingleton(long);
  await vi.waitFor(() => expect(long.run).toHaveBeenCalledOnce());
  const run = vi.fn(async () => {});
  await second.runSingleton({ name: 'clean', run });
  expect(run).not.toHaveBeenCalled();
  await second.runSingleton({ name: 'other', run });
  expect(run).toHaveBeenCalledOnce();
  long.end();
  await running;
  // The database ends the lock with the connection, a moment later.
  await vi.waitFor(async () => {
    await second.runSingleton({ name: 'clean', run });
    expect(run).toHaveBeenCalledTimes(2);
  });
});

it('a recurring job that has failed at one node is free for the others', async () => {
  const [first, second] = [await startNode(), await startNode()];
  const fails = first.runSingleton({ name: 'clean', run: () => Promise.reject(new Error('broken')) });
  await expect(fails).rejects.toThrow('broken');
  const run = vi.fn(async () => {});
  await vi.waitFor(async () => {
    await second.runSingleton({ name: 'clean', run });
    expect(run).toHaveBeenCalledOnce();
  });
});

it('a recurring job never runs at two nodes at once, however often it is in the queue', async () => {
  const nodes = [await startNode(), await startNode(), await startNode()];
  let [running, most, runs] = [0, 0, 0];
  const run = async () => {
    running += 1;
    runs += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 100));
    running -= 1;
  };
  const job = { name: 'clean', schedule: '0 0 29 2 *', run };
  for (const { pool, node } of nodes) {
    const jobs = await startJobs(pool, [job], log, node);
    onTestFinished(() => jobs.stop());
  }
  const countLeft = async () =>
    Number((await nodes[0]?.pool.query('select count(*) from graphile_worker.jobs'))?.rows[0]?.count);
  for (let count = 0; count < 24; count += 1) {
    await nodes[0]?.pool.query(`select graphile_worker.add_job('clean')`);
    if (count % 6 === 5) await new Promise((resolve) => setTimeout(resolve, 150));
  }
  await expect.poll(countLeft, { timeout: 15_000 }).toBe(0);
  expect(most).toBe(1);
  expect(runs).toBeGreaterThan(1);
});

it('the lock of a recurring job is free once its node is gone, and not before', async () => {
  // A machine without power closes nothing: its connection is there for as long as TCP likes.
  const [gone, other] = [await startNode(), await startNode()];
  const long = createLongJob('clean');
  const running = gone.runSingleton(long);
  await vi.waitFor(() => expect(long.run).toHaveBeenCalledOnce());
  const run = vi.fn(async () => {});
  await unlockLeft(other.node);
  await other.runSingleton({ name: 'clean', run });
  expect(run).not.toHaveBeenCalled();
  await server.db
    .updateTable('nodes')
    .set({ lease_until: sql<Date>`now() - interval '1 second'` })
    .where('id', '=', gone.node.id)
    .execute();
  await unlockLeft(other.node);
  await vi.waitFor(async () => {
    await other.runSingleton({ name: 'clean', run });
    expect(run).toHaveBeenCalledOnce();
  });
  long.end();
  await running;
});
