import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findPackagedEngine } from './engine.ts';
import { removeEmbeddedDatabase } from './index.ts';
import { endAllServers, install, isRoot, readPids, startServer } from './installation.fixture.ts';

const nobody = 65534;
let folder: string;
let program: string;
let system: string;

beforeAll(async () => {
  folder = await mkdtemp('/tmp/pultdb-');
  program = await install(folder);
  system = join(folder, 'var');
}, 60_000);
afterEach(endAllServers);
afterAll(() => rm(folder, { recursive: true }));

async function run(sql: string, dataDir: string, options: { program?: string; uid?: number } = {}) {
  const server = startServer(options.program ?? program, dataDir, { systemFolder: system, ...options });
  const connection = await server.connection;
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query(sql);
    const { postmaster } = await readPids(connection);
    const engine = (await readFile(`/proc/${postmaster}/cmdline`, 'utf8')).split('\0')[0] ?? '';
    return { rows, engine };
  } finally {
    await client.end();
    await server.end('SIGTERM');
  }
}

describe.runIf(isRoot)('started by root', () => {
  it('keeps the database in the data folder when its user can be let through', async () => {
    const dataDir = join(folder, 'data');
    await mkdir(dataDir, { mode: 0o700 });
    const { engine } = await run('SELECT 1', dataDir);
    expect(engine.startsWith(folder)).toBe(true);
    expect((await stat(join(dataDir, 'postgres'))).uid).not.toBe(0);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o711);
  }, 30_000);

  describe('under a folder only root may enter', () => {
    let closed: string;
    let dataDir: string;
    beforeAll(async () => {
      closed = join(folder, `root's "only" folder`);
      dataDir = join(closed, 'data');
      await mkdir(dataDir, { recursive: true });
      await chmod(closed, 0o700);
    });

    it('keeps it in the system folder, and says where', async () => {
      const closedProgram = join(closed, 'server.mjs');
      await cp(program, closedProgram);
      await cp(join(folder, 'node_modules'), join(closed, 'node_modules'), { recursive: true });
      const { engine } = await run("CREATE TABLE kept AS SELECT 'ё' AS letter", dataDir, {
        program: closedProgram,
      });
      expect(engine.startsWith(system)).toBe(true);
      expect((await readFile(join(dataDir, 'postgres.location'), 'utf8')).startsWith(system)).toBe(true);
      const again = await run('SELECT letter FROM kept', dataDir, { program: closedProgram });
      expect(again.rows).toEqual([{ letter: 'ё' }]);
    }, 60_000);

    it('finds it again when the data folder was moved, and refuses a copy', async () => {
      const moved = join(closed, 'moved');
      await rename(dataDir, moved);
      expect((await run('SELECT letter FROM kept', moved)).rows).toEqual([{ letter: 'ё' }]);
      await cp(moved, dataDir, { recursive: true });
      await expect(run('SELECT 1', dataDir)).rejects.toThrow(/is a copy of .*moved/);
      await rm(dataDir, { recursive: true });
      await rename(moved, dataDir);
    }, 30_000);

    it('begins anew beside the old one when the data folder was deleted', async () => {
      await rm(dataDir, { recursive: true });
      await mkdir(dataDir);
      await expect(run('SELECT letter FROM kept', dataDir)).rejects.toThrow('does not exist');
      expect(await readdir(system)).toHaveLength(2);
      await removeEmbeddedDatabase(dataDir);
      expect(await readdir(system)).toHaveLength(1);
    }, 30_000);
  });

  it('runs an installation whose path a shell would misread', async () => {
    const odd = join(folder, 'a "$(quoted)" `path`');
    await cp(join(folder, 'node_modules'), join(odd, 'node_modules'), { recursive: true });
    await cp(program, join(odd, 'server.mjs'));
    const { engine } = await run('SELECT 1', join(odd, 'data'), { program: join(odd, 'server.mjs') });
    expect(engine).toMatch(/^\/tmp\/pult-/);
  }, 30_000);

  it('a database started by root is run by an ordinary user as well, and later by root as that user', async () => {
    const dataDir = join(folder, 'of nobody');
    await mkdir(dataDir, { mode: 0o700 });
    await chown(dataDir, nobody, nobody);
    await run("CREATE TABLE kept AS SELECT 'ё' AS letter", dataDir, { uid: nobody });
    expect((await stat(join(dataDir, 'postgres'))).uid).toBe(nobody);
    expect((await run('SELECT letter FROM kept', dataDir)).rows).toEqual([{ letter: 'ё' }]);
    expect((await run('SELECT letter FROM kept', dataDir, { uid: nobody })).rows).toEqual([{ letter: 'ё' }]);
  }, 30_000);

  it('takes over a database that belongs to root, as a restored one does', async () => {
    const dataDir = join(folder, 'data');
    for (const name of await readdir(dataDir, { recursive: true })) await chown(join(dataDir, name), 0, 0);
    await run('SELECT 1', dataDir);
    expect((await stat(join(dataDir, 'postgres', 'PG_VERSION'))).uid).not.toBe(0);
  }, 30_000);

  it("refuses another user's database to an ordinary user in plain words", async () => {
    const dataDir = join(folder, 'data');
    await chmod(dataDir, 0o777);
    await expect(run('SELECT 1', dataDir, { uid: nobody })).rejects.toThrow(/belongs to another user/);
  });
});

it('says what to do where no PostgreSQL comes with the installation', async () => {
  await expect(findPackagedEngine('linux', 'riscv64')).rejects.toThrow(/linux on riscv64.*Set DATABASE_URL/);
});
