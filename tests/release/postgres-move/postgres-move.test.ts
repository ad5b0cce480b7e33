import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog, loadSecrets, startEmbeddedPostgres } from '@pult/server/testing';
import {
  builtPath,
  createApiClient,
  freePort,
  makeTempDir,
  runCommand,
  startServerProcess,
} from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const log = createLog('silent');
let folder: Awaited<ReturnType<typeof makeTempDir>>;

beforeAll(async () => {
  folder = await makeTempDir('postgres-move');
});
afterAll(() => folder?.remove());

/** A data folder as a release with PostgreSQL 17 would have left it: a server has run on it. */
async function makeFormer(dataDir: string, port: number): Promise<void> {
  const { databasePassword: password } = await loadSecrets(dataDir, log);
  const postgres = await startEmbeddedPostgres({ dataDir, password, log, newMajor: '17' });
  const { user, host, database } = postgres.connection;
  const DATABASE_URL = `postgres://${user}:${encodeURIComponent(password)}@localhost/${database}?host=${host}`;
  try {
    await using server = await startServerProcess({ dataDir, port, env: { DATABASE_URL } });
    const api = await login(server);
    const [organization] = await api.call('listOrganizations');
    if (!organization) throw new Error('the administrator has no organization');
    const params = { organizationId: organization.id };
    await api.call('updateOrganization', { params, body: { name: 'Север' } });
  } finally {
    await postgres.stop();
  }
}

const login = ({
  url: baseUrl,
  adminEmail: username,
  adminPassword: password,
}: {
  url: string;
  adminEmail: string;
  adminPassword: string;
}) => createApiClient({ baseUrl, username, password });

/** Starts a server on it, which moves the database, and looks whether all is there. */
async function assertMoves(dataDir: string, port: number): Promise<void> {
  await using server = await startServerProcess({ dataDir, port, readyWithinMs: 240_000 });
  const said = server.process.tail();
  expect(said).toContain('it is moved, and nobody is served meanwhile');
  expect(said).toContain('the database has moved to another version of PostgreSQL');
  const api = await login(server);
  expect(await api.call('listOrganizations')).toMatchObject([{ name: 'Север' }]);
  expect((await readFile(join(dataDir, 'postgres/PG_VERSION'), 'utf8')).trim()).toBe('18');
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['postgres-17', 'postgres-17.moved']));
  const checked = await server.runPult('upgrade', 'check');
  expect(checked.stdout).not.toContain('postgresql:');
}

test('a server that brings PostgreSQL 18 starts on a data folder of 17 and on a backup of it, which commands run as they are', async () => {
  const dataDir = join(folder.path, 'data');
  const port = await freePort();
  await makeFormer(dataDir, port);

  const pult = (at: string, ...args: string[]) =>
    runCommand(process.execPath, [builtPath('apps/server/dist/pult.js'), ...args], {
      env: { DATA_DIR: at, PUBLIC_URL: `http://localhost:${port}` },
    });
  const checked = await pult(dataDir, 'upgrade', 'check');
  expect(checked, checked.stderr).toMatchObject({ code: 0 });
  expect(checked.stdout).toMatch(
    /^warn postgresql: the start moves the database from PostgreSQL 17 to 18 first, in about \d+ s .*\/postgres-17 until/m,
  );
  const file = join(folder.path, 'pult.tar.gz');
  expect(await pult(dataDir, 'backup', 'create', file)).toMatchObject({ code: 0 });
  const verified = await pult(dataDir, 'backup', 'verify', file);
  expect(verified.stdout, verified.stderr).toContain('The backup is whole');
  expect((await readFile(join(dataDir, 'postgres/PG_VERSION'), 'utf8')).trim()).toBe('17');

  await assertMoves(dataDir, port);

  const restored = join(folder.path, 'restored');
  expect(await pult(restored, 'restore', file)).toMatchObject({ code: 0 });
  await assertMoves(restored, port);
}, 900_000);
