import { type ChildProcess, spawn } from 'node:child_process';
import {
  access,
  chmod,
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import {
  endAllServers,
  eventually,
  install,
  isRoot,
  isRunning,
  readPids,
  startServer,
} from './installation.fixture.ts';

let folder: string;
let program: string;
let dataDir: string;

beforeAll(async () => {
  folder = await mkdtemp('/tmp/pultdb-');
  program = await install(folder);
  dataDir = join(folder, 'data');
}, 60_000);
afterEach(endAllServers);
afterAll(() => rm(folder, { recursive: true }));

async function query(connection: pg.ClientConfig, sql: string): Promise<unknown[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

it('kill -9 during the first start leaves nothing that the next start trips over', async () => {
  const own = join(folder, 'first');
  for (const files of [0, 1, 5, 15, 25, 26]) {
    const server = startServer(program, own);
    await eventually(async () => {
      const names = await readdir(own).catch((): string[] => []);
      const draft = names.find((name) => name.startsWith('postgres.new-'));
      if (draft === undefined) return names.includes('postgres');
      return (await readdir(join(own, draft)).catch(() => [])).length >= files;
    });
    await server.end('SIGKILL');
  }
  const server = startServer(program, own);
  expect(await query(await server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect((await readdir(own)).filter((name) => name.startsWith('postgres.new-'))).toEqual([]);
}, 60_000);

it('kill -9 of the server takes PostgreSQL and its folder with it', async () => {
  const server = startServer(program, dataDir);
  const connection = await server.connection;
  const { postmaster, supervisors } = await readPids(connection);
  await server.end('SIGKILL');
  await eventually(async () => !(await isRunning(postmaster)), 8_000);
  for (const pid of supervisors) await eventually(async () => !(await isRunning(pid)), 8_000);
  await expect(access(connection.host)).rejects.toThrow('ENOENT');
  // A clean shutdown, not a crash: PostgreSQL has removed its pid file.
  await expect(access(join(dataDir, 'postgres', 'postmaster.pid'))).rejects.toThrow('ENOENT');
}, 30_000);

it('kill -9 of the server and the supervisor: the next start stops the orphan and goes on', async () => {
  const server = startServer(program, dataDir);
  const connection = await server.connection;
  await query(connection, "CREATE TABLE kept AS SELECT 'ё' AS letter");
  const { postmaster, supervisors } = await readPids(connection);
  process.kill(server.process.pid ?? 0, 'SIGSTOP');
  for (const pid of supervisors) process.kill(pid, 'SIGKILL');
  await server.end('SIGKILL');
  expect(await isRunning(postmaster)).toBe(true);

  const next = startServer(program, dataDir);
  expect(await query(await next.connection, 'SELECT letter FROM kept')).toEqual([{ letter: 'ё' }]);
  expect(await isRunning(postmaster)).toBe(false);
  await expect(access(connection.host)).rejects.toThrow('ENOENT');
}, 30_000);

it('a start removes the folder of a killed server whose data is gone, and no folder of one that runs', async () => {
  const own = (name: string) => join(folder, name);
  const running = startServer(program, own('running'));
  const killed = startServer(program, own('killed'));
  const connections = await Promise.all([running.connection, killed.connection]);
  const [there, left] = connections.map(({ host }) => host) as [string, string];
  const { postmaster, supervisors } = await readPids(connections[1]);
  process.kill(killed.process.pid ?? 0, 'SIGSTOP');
  for (const pid of [...supervisors, postmaster]) process.kill(pid, 'SIGKILL');
  await eventually(async () => !(await isRunning(postmaster)));
  // Its server is stopped, not dead.
  await startServer(program, own('next')).connection;
  await access(left);
  await killed.end('SIGKILL');
  await rm(own('killed'), { recursive: true });

  await startServer(program, own('last')).connection;
  await expect(access(left)).rejects.toThrow('ENOENT');
  await access(there);
  expect(await query(connections[0], 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
}, 60_000);

it('a stale postmaster.pid does not hurt the process that has its pid now', async () => {
  const server = startServer(program, dataDir);
  const connection = await server.connection;
  const pidFile = join(await readlink(join(connection.host, 'data')), 'postmaster.pid');
  const content = await readFile(pidFile, 'utf8');
  await server.end('SIGTERM');

  // The stranger is even named postgres, but works elsewhere.
  const double = join(folder, 'postgres');
  await copyFile('/bin/sleep', double);
  await chmod(double, 0o755);
  const stranger: ChildProcess = spawn(double, ['60'], {
    cwd: '/',
    stdio: 'ignore',
    ...(isRoot ? { uid: 65534, gid: 65534 } : {}),
  });
  try {
    await writeFile(pidFile, content.replace(/^\d+/, String(stranger.pid)));
    const next = startServer(program, dataDir);
    await query(await next.connection, 'SELECT 1');
    expect(await isRunning(stranger.pid ?? 0)).toBe(true);
  } finally {
    stranger.kill('SIGKILL');
  }
}, 30_000);

it('one of two servers started at once on one folder runs, and the other says why not', async () => {
  const servers = [startServer(program, dataDir), startServer(program, dataDir)];
  const results = await Promise.allSettled(servers.map((server) => server.connection));
  const refused = results.find((result) => result.status === 'rejected');
  expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  expect(String(refused?.reason)).toMatch(
    /Another server \(process \d+\) already works with the folder .*data/,
  );
}, 30_000);
