import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { findDatabase } from '@pult/server/database';
import { createLog, startEmbeddedPostgres } from '@pult/server/testing';
import {
  createApiClient,
  HttpClient,
  listenOnLoopback,
  makeTempDir,
  poll,
  type ServerProcess,
  startServerProcess,
} from '@pult/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';

async function logIn({ url: baseUrl, adminEmail: username, adminPassword: password }: ServerProcess) {
  const http = new HttpClient();
  const { access } = await createApiClient({ baseUrl, username, password });
  return async (path = 'users/me/') => {
    const answer = await http.request(`${baseUrl}/api/v1/${path}`, {
      headers: { authorization: `Bearer ${access}` },
    });
    await answer.text();
    return { status: answer.status, retryAfter: answer.headers['retry-after'] };
  };
}

type Ask = Awaited<ReturnType<typeof logIn>>;
const until = (ask: Ask, status: number) =>
  poll(
    async () => {
      const answer = await ask();
      return answer.status === status ? answer : undefined;
    },
    { what: `an answer of ${status}`, timeoutMs: 60_000 },
  );

/** Puts a recurring job into the queue and waits until it is done. */
async function expectJobsToRun(query: (sql: string) => Promise<{ rowCount: number | null }>) {
  await query("select graphile_worker.add_job('resume-deliveries', job_key => 'test')");
  await poll(
    async () => (await query("select 1 from graphile_worker.jobs where key = 'test'")).rowCount === 0,
    { what: 'jobs are done again', timeoutMs: 60_000 },
  );
}

test('a database elsewhere that is restarted: calls answer 503 meanwhile, and everything goes on', async () => {
  const folder = await makeTempDir('external-database');
  const options = { dataDir: join(folder.path, 'data'), password: 'of-the-test', log: createLog('silent') };
  let database = await startEmbeddedPostgres(options);
  const sockets = new Set<Socket>();
  const open = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const { host, port } = database.connection;
    const upstream = open(connect(`${host}/.s.PGSQL.${port}`));
    open(client).pipe(upstream).pipe(client);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  const port = await listenOnLoopback(proxy);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
    await database.stop();
    await folder.remove();
  });
  await using server = await startServerProcess({
    env: { DATABASE_URL: `postgres://pult:${options.password}@127.0.0.1:${port}/pult` },
  });
  const ask = await logIn(server);
  const since = server.process.nextLine;
  await database.stop();
  expect(await until(ask, 503)).toMatchObject({ retryAfter: '10' });
  // Its pauses grow: what waits for seconds has tried more than once.
  await server.process.waitForLine(/trying again in \d{4,}ms/, { since });
  expect(await ask()).toMatchObject({ status: 503 });
  database = await startEmbeddedPostgres(options);
  await until(ask, 200);
  const pool = new pg.Pool({ ...database.connection, max: 1 });
  await expectJobsToRun((sql) => pool.query(sql));
  await pool.end();
}, 180_000);

describe('a small server', () => {
  let server: ServerProcess;
  let ask: Ask;
  let pool: pg.Pool;
  beforeAll(async () => {
    server = await startServerProcess({
      launcher: ['sh', '-c', 'ulimit -n 160 && exec "$@"', 'sh'],
      env: { NODE_OPTIONS: '--max-old-space-size=96' },
    });
    ask = await logIn(server);
    pool = new pg.Pool({ ...((await findDatabase(server.dataDir)) as pg.PoolConfig), max: 2 });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
  }, 60_000);
  afterAll(async () => {
    await pool?.end();
    await server?.stop();
  });

  test('a server without descriptors refuses connections, serves those it has, and goes on when there are some', async () => {
    const sockets: Socket[] = [];
    let closed = 0;
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const knock = () =>
      connect(server.port, '127.0.0.1')
        .on('error', () => {})
        .on('close', () => {
          closed += 1;
        });
    await poll(
      () => {
        for (let count = 0; count < 20; count += 1) sockets.push(knock());
        return closed > 0;
      },
      { what: 'a connection is refused' },
    );
    expect([200, 503]).toContain((await ask()).status);
    for (const socket of sockets) socket.destroy();
    await until(await logIn(server), 200);
    await expectJobsToRun((sql) => pool.query(sql));
  }, 60_000);

  test('a process of the database that the system kills for its memory takes no more with it than what was being asked', async () => {
    const { rows } = await pool.query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'pult' limit 1",
    );
    const since = server.process.nextLine;
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await server.process.waitForLine(/was terminated by signal 9/, { since });
    await until(ask, 200);
    await expectJobsToRun((sql) => poll(() => pool.query(sql).catch(() => undefined), { what: 'an answer' }));
  }, 60_000);

  test('a server with a heap of 96 MB answers hundreds of calls, as many at once as it has descriptors for', async () => {
    for (let round = 0; round < 4; round += 1) {
      const calls = Array.from({ length: 50 }, () => ask('controllers/?page_size=5000'));
      const statuses = (await Promise.all(calls)).map(({ status }) => status);
      expect(new Set(statuses)).toEqual(new Set([200]));
    }
    expect(server.process.isRunning).toBe(true);
  }, 60_000);
});
