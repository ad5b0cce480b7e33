import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ConnectionSettings, findDatabase } from '@pult/server/database';
import { createApiClient, HttpClient, poll, type ServerProcess, startServerProcess } from '@pult/testkit';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { canMount, mountSmallDisk, type SmallDisk } from './small-disk.ts';

const megabyte = 2 ** 20;
/** Changes are refused below it, however little the log may grow. */
const limit = 256 * megabyte;
const maxWalSize = '96MB';

interface Answer {
  status: number;
  code: string | undefined;
  retryAfter: unknown;
}

describe.runIf(await canMount())('on a small disk of its own (needs the right to mount)', () => {
  let disk: SmallDisk;
  let server: ServerProcess;
  let accessToken: string;
  let settings: ConnectionSettings;
  const http = new HttpClient();

  beforeAll(async () => {
    disk = await mountSmallDisk(800 * megabyte);
    server = await startServerProcess({
      launcher: disk.launcher,
      dataDir: join(disk.path, 'data'),
    });
    const { url: baseUrl, adminEmail: username, adminPassword: password } = server;
    accessToken = (await createApiClient({ baseUrl, username, password })).access;
    const findSettings = () => findDatabase(join(disk.seenPath, 'data'));
    settings = await findSettings();
    await query(`alter system set max_wal_size = '${maxWalSize}'`);
    await server.halt();
    await server.start();
    settings = await findSettings();
  }, 120_000);
  afterAll(async () => {
    await server?.stop();
    await disk?.[Symbol.asyncDispose]();
  });

  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' };
    const answer = await http.request(`${server.url}/api/v1/${path}`, {
      method,
      headers: body ? headers : { authorization: headers.authorization },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    const { code } = text === '' ? { code: undefined } : (JSON.parse(text) as { code?: string });
    return { status: answer.status, code, retryAfter: answer.headers['retry-after'] };
  }
  const read = () => ask('GET', 'users/me/');
  const change = () => ask('PATCH', 'users/me/', { locale: 'en' });
  const logIn = () =>
    ask('POST', 'auth/token/', { username: server.adminEmail, password: server.adminPassword });
  const until = (what: string, call: () => Promise<Answer>, status: number) =>
    poll(
      async () => {
        const answer = await call();
        return answer.status === status ? answer : undefined;
      },
      { what, timeoutMs: 60_000 },
    );

  const postgres = () => join(disk.seenPath, 'data', 'postgres');
  const isThere = (path: string) =>
    access(path).then(
      () => true,
      () => false,
    );
  /** The file that is given up, and whether it is there. */
  const hasReserve = () => isThere(join(postgres(), 'pult.reserve'));

  /** Where it runs. Its file may tell of one that has ended, whose number another program has by now. */
  async function killDatabase(): Promise<void> {
    const read = (path: string) => readFile(path, 'utf8').catch(() => '');
    const [pid] = (await read(join(postgres(), 'postmaster.pid'))).split('\n');
    if ((await read(`/proc/${pid}/comm`)).trim() !== 'postgres') return;
    try {
      process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has just ended.
    }
  }

  async function query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]> {
    const client = new pg.Client(settings as pg.ClientConfig);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<Row>(sql, values)).rows;
    } finally {
      await client.end().catch(() => {});
    }
  }

  test('what the server writes itself fills the disk up to the limit, where it refuses more with 507', async () => {
    await poll(hasReserve, { what: 'the reserve is there' });
    await disk.fillTo(limit + 60 * megabyte);
    await query('create table filling (id int, content bytea)');
    let pieces = 0;
    await poll(
      async () => {
        await query(
          "insert into filling select $1, decode(string_agg(md5(random()::text), ''), 'hex') from generate_series(1, 250000)",
          [++pieces],
        );
        return (await change()).status === 507;
      },
      { what: 'changes are refused' },
    );
    expect(await change()).toMatchObject({ code: 'storage_full' });
    expect(await logIn()).toMatchObject({ status: 507, code: 'storage_full' });
    expect(await read()).toMatchObject({ status: 200 });
    expect((await disk.measure()).freeBytes).toBeGreaterThan(limit / 2);
    await disk.fillTo(limit + 150 * megabyte);
    await until('changes are taken again', change, 200);
    expect(await query('select id from filling')).toHaveLength(pieces);
    await query('drop table filling');
  }, 120_000);

  test('another program fills the disk to the last byte: the database dies and is tried again, and all that was acknowledged is there', async () => {
    await query('create table marks (id int primary key)');
    const acknowledged: number[] = [];
    let next = 0;
    let isWriting = true;
    const write = async () => {
      while (isWriting) {
        const id = next++;
        await query('insert into marks values ($1)', [id]).then(
          () => acknowledged.push(id),
          () => new Promise((resolve) => setTimeout(resolve, 50)),
        );
        // The log alone grows by it.
        await query("select pg_logical_emit_message(false, 'test', repeat('x', 1000000))").catch(() => {});
      }
    };
    const writing = Promise.all([write(), write()]);
    await poll(() => acknowledged.length > 20, { what: 'something is written' });
    const since = server.process.nextLine;
    let isFilling = true;
    const filling = (async () => {
      // What the server gives up it takes as well.
      while (isFilling) {
        await disk.fillTo(0);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    })();
    await server.process.waitForLine(/No space left on device/, { since });
    const lost = until('calls answer 503', read, 503);
    await killDatabase();
    expect(await lost).toEqual({ status: 503, code: 'service_unavailable', retryAfter: '10' });
    await server.process.waitForLine(/its reserve is given to the database/, { since });
    expect(await hasReserve()).toBe(false);
    // It dies by itself where its log finds no room, which its checkpoints may put off for as long as they like.
    const isGivenUp = async () => {
      await killDatabase();
      return server.process.hasLine(/the database does not come back; it is started again/, since);
    };
    await poll(isGivenUp, { what: 'the database does not come back', intervalMs: 1_000, timeoutMs: 60_000 });
    expect(await read()).toMatchObject({ status: 503 });
    isFilling = false;
    await filling;
    const before = acknowledged.length;
    await disk.fillTo(Number.POSITIVE_INFINITY);
    await until('reading is possible again', read, 200);
    await until('changes are taken again', change, 200);
    await until('people can log in again', logIn, 200);
    await poll(() => acknowledged.length > before, { what: 'more is written' });
    isWriting = false;
    await writing;
    const stored = new Set((await query<{ id: number }>('select id from marks')).map(({ id }) => id));
    expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
    // The queue goes on by itself.
    await query("select graphile_worker.add_job('resume-deliveries', job_key => 'test')");
    await poll(
      async () => (await query("select 1 from graphile_worker.jobs where key = 'test'")).length === 0,
      { what: 'jobs are done again' },
    );
    await poll(hasReserve, { what: 'the reserve is there again' });
  }, 180_000);

  test('a full disk on which the database runs and lets nobody in: the reserve is given up, and what is there can be read', async () => {
    await poll(hasReserve, { what: 'the reserve is there' });
    const since = server.process.nextLine;
    const [{ oid } = { oid: 0 }] = await query<{ oid: number }>(
      'select oid::int from pg_database where datname = current_database()',
    );
    // What a session reads before it is let in, and writes where it is missing.
    const first = ['global', `base/${oid}`].map((folder) => join(postgres(), folder, 'pg_internal.init'));
    const client = new pg.Client(settings as pg.ClientConfig);
    await client.connect();
    try {
      const isAnyThere = async () => (await Promise.all(first.map(isThere))).includes(true);
      await disk.fillTo(0);
      while (await isAnyThere()) {
        for (const path of first) await rm(path, { force: true });
        await disk.fillTo(0);
      }
      await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'pult'",
      );
    } finally {
      await client.end();
    }
    await server.process.waitForLine(/could not write init file/, { since });
    await server.process.waitForLine(/its reserve is given to the database/, { since });
    await until('what is there can be read', read, 200);
    expect(await hasReserve()).toBe(false);
    expect(server.process.hasLine(/restarting the database/, since)).toBe(false);
    await disk.fillTo(Number.POSITIVE_INFINITY);
    await until('changes are taken again', change, 200);
  }, 120_000);

  test('a start on a full disk gives up the reserve: what is there can be read', async () => {
    await poll(hasReserve, { what: 'the reserve is there' });
    await server.halt();
    await disk.fillTo(0);
    await server.start();
    expect(await hasReserve()).toBe(false);
    expect(await read()).toMatchObject({ status: 200 });
    expect(await change()).toMatchObject({ status: 507 });
    expect((await server.runPult('doctor')).stdout).toMatch(
      /fail +disk +the database has \d+ MiB left: below 256 MiB the server refuses changes/,
    );
    await disk.fillTo(Number.POSITIVE_INFINITY);
    await until('changes are taken again', change, 200);
  }, 120_000);
});
