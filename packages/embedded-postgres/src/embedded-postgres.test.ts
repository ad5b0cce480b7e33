import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { LockedError } from '@pult/files';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type EmbeddedPostgres, findRunningPostgres, startEmbeddedPostgres } from './index.ts';
import { eventually, isRoot, isRunning, password, readPids } from './installation.fixture.ts';
import { findLeftovers } from './leftovers.ts';

const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
let folder: string;
let dataDir: string;
const open: EmbeddedPostgres[] = [];
const pools: pg.Pool[] = [];

async function start(options: object = {}): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dataDir, password, log, ...options });
  open.push(database);
  return database;
}

function connect(database: EmbeddedPostgres, overrides: object = {}): pg.Pool {
  const pool = new pg.Pool({ ...database.connection, ...overrides });
  pool.on('error', () => {});
  // pool.end() does not wait for the sockets; the database's farewell may still arrive on them.
  pool.on('connect', (client) => client.on('error', () => {}));
  pools.push(pool);
  return pool;
}

beforeAll(async () => {
  folder = await mkdtemp('/tmp/pultdb-');
  dataDir = join(folder, `Данные 'of' "the" $HOME; \`x\` \\ server`);
  // The database's user must be able to pass through the test's own folder.
  await chmod(folder, 0o711);
});
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.end()));
  await Promise.all(open.splice(0).map((database) => database.stop()));
});
afterAll(() => rm(folder, { recursive: true }));

describe('a database in a folder with a difficult name', () => {
  it('starts, keeps what was written, and leaves nothing behind when stopped', async () => {
    const first = await start();
    await connect(first).query("CREATE TABLE words AS SELECT 'тепло' AS word");
    await pools.splice(0)[0]?.end();
    const { postmaster, supervisors } = await readPids(first.connection);
    await first.stop();
    await first.exited;
    expect(await Promise.all([postmaster, ...supervisors].map(isRunning))).not.toContain(true);
    expect(await findLeftovers(join(dataDir, 'postgres'))).toEqual([]);
    await expect(access(first.connection.host)).rejects.toThrow('ENOENT');
    // Beside it there is a copy of the engine where the database's user cannot enter the installation.
    const left = (await readdir(dataDir)).filter((name) => !name.startsWith('engine-'));
    expect(left.sort()).toEqual(['postgres', 'postgres.lock']);

    const { rows } = await connect(await start()).query('SELECT word FROM words');
    expect(rows).toEqual([{ word: 'тепло' }]);
  }, 30_000);

  it('listens on a private socket only, asks for the password, and syncs to disk', async () => {
    const database = await start();
    const { host } = database.connection;
    expect(Buffer.byteLength(`${host}/.s.PGSQL.5432`)).toBeLessThan(107);
    const found = await stat(host);
    expect(found.mode & 0o777).toBe(0o700);
    const { postmaster } = await readPids(database.connection);
    const status = await readFile(`/proc/${postmaster}/status`, 'utf8');
    const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]);
    expect(uid).toBe(found.uid);
    if (isRoot) expect(uid).not.toBe(0);
    const { rows } = await connect(database).query(
      `SELECT current_setting('listen_addresses') AS tcp, current_setting('fsync') AS fsync,
              current_setting('jit') AS jit, current_setting('max_connections') AS connections`,
    );
    expect(rows).toEqual([{ tcp: '', fsync: 'on', jit: 'off', connections: '60' }]);
    await expect(connect(database, { password: 'wrong' }).query('SELECT 1')).rejects.toThrow(
      /authentication failed/,
    );
  });

  it('a database in a folder with a difficult name is refused to a second server, and found by a tool while it runs', async () => {
    expect(await findRunningPostgres(dataDir, password)).toBeUndefined();
    const database = await start();
    await expect(start()).rejects.toBeInstanceOf(LockedError);
    expect(await findRunningPostgres(dataDir, password)).toEqual(database.connection);
    await connect(database).query('SELECT 1');
  });

  it('tells a wrong password apart', async () => {
    await expect(start({ password: 'of another folder' })).rejects.toThrow(/secrets\.json.*same backup/);
    await start();
  });

  it('comes back after kill -9 with all that was acknowledged, through the same pool', async () => {
    const database = await start({ restartPausesMs: [0, 100, 100, 200, 500] });
    const pool = connect(database, { max: 4 });
    await pool.query('CREATE TABLE marks (id int PRIMARY KEY)');
    const acknowledged: number[] = [];
    let next = 0;
    let writing = true;
    const write = async () => {
      while (writing) {
        const id = next++;
        await pool.query('INSERT INTO marks VALUES ($1)', [id]).then(
          () => acknowledged.push(id),
          () => new Promise((resolve) => setTimeout(resolve, 5)),
        );
      }
    };
    const writers = [write(), write(), write()];
    for (let kill = 0; kill < 3; kill++) {
      const before = acknowledged.length;
      await eventually(async () => acknowledged.length > before + 100);
      const { postmaster } = await readPids(database.connection);
      process.kill(postmaster, 'SIGKILL');
      await eventually(async () => !(await isRunning(postmaster)));
    }
    const before = acknowledged.length;
    await eventually(async () => acknowledged.length > before + 100);
    writing = false;
    await Promise.all(writers);
    const { rows } = await pool.query<{ id: number }>('SELECT id FROM marks');
    const stored = new Set(rows.map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    expect(log.warn).toHaveBeenCalledWith(expect.objectContaining({ restart: 1 }), 'restarting the database');
  }, 60_000);

  it('is started anew as a whole when one of its processes is killed', async () => {
    const database = await start();
    const pool = connect(database);
    const { postmaster } = await readPids(database.connection);
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL');
    await eventually(async () => !(await isRunning(postmaster)));
    await eventually(() => pool.query('SELECT 1').catch(() => undefined));
  }, 30_000);

  it('comes back when its supervisor is killed', async () => {
    const database = await start();
    const pool = connect(database);
    const before = await readPids(database.connection);
    for (const pid of before.supervisors) process.kill(pid, 'SIGKILL');
    await eventually(async () => !(await isRunning(before.postmaster)));
    await eventually(() => pool.query('SELECT 1').catch(() => undefined));
    await database.stop();
    await expect(access(database.connection.host)).rejects.toThrow('ENOENT');
  }, 30_000);

  it('comes back when a cleaner of /tmp took its folder away', async () => {
    const database = await start();
    const pool = connect(database);
    const { postmaster } = await readPids(database.connection);
    await rm(database.connection.host, { recursive: true });
    process.kill(postmaster, 'SIGKILL');
    await eventually(() => pool.query('SELECT 1').catch(() => undefined));
  }, 30_000);

  it('a database in a folder with a difficult name is stopped hard when it hangs', async () => {
    const database = await start({ shutdownGraceMs: 300 });
    const { postmaster } = await readPids(database.connection);
    process.kill(postmaster, 'SIGSTOP');
    await database.stop();
    expect(await isRunning(postmaster)).toBe(false);
    await connect(await start()).query('SELECT 1');
  }, 30_000);
});

it('works deep down, where no path fits into a socket address or a path of PostgreSQL', async () => {
  const deep = join(folder, ...Array.from({ length: 6 }, (_, level) => `${level}`.repeat(250)));
  const database = await start({ dataDir: deep });
  expect((await connect(database).query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
}, 30_000);

it('a database that cannot start is tried without end, comes back when what kept it is mended, and can be stopped meanwhile', async () => {
  const own = join(folder, 'broken later');
  const database = await start({ dataDir: own, restartPausesMs: [0, 10] });
  const control = join(own, 'postgres', 'global', 'pg_control');
  const kept = `${control}.kept`;
  const breakIt = async () => {
    const { postmaster } = await readPids(database.connection);
    log.error.mockClear();
    await rename(control, kept);
    process.kill(postmaster, 'SIGKILL');
    await vi.waitFor(() => expect(log.error.mock.calls.length).toBeGreaterThan(3), 20_000);
  };
  await breakIt();
  expect(log.error).toHaveBeenCalledWith(
    expect.objectContaining({ reason: expect.stringContaining('pg_control'), pauseMs: 10 }),
    'the database does not come back; it is started again and again',
  );
  await rename(kept, control);
  const pool = connect(database);
  await eventually(() => pool.query('SELECT 1').catch(() => undefined));
  await breakIt();
  await database.stop();
  await expect(access(database.connection.host)).rejects.toThrow('ENOENT');
}, 60_000);

describe('refuses in plain words', () => {
  it('a database of another major version', async () => {
    const own = join(folder, 'old');
    await mkdir(join(own, 'postgres'), { recursive: true });
    await writeFile(join(own, 'postgres', 'PG_VERSION'), '16\n');
    await expect(start({ dataDir: own })).rejects.toThrow(/made by PostgreSQL 16.*runs PostgreSQL 18/);
  });

  it('a folder that holds something else', async () => {
    const own = join(folder, 'strange');
    await mkdir(join(own, 'postgres'), { recursive: true });
    await writeFile(join(own, 'postgres', 'photo.jpg'), '');
    await expect(start({ dataDir: own })).rejects.toThrow(/not empty and holds no database/);
  });
});
