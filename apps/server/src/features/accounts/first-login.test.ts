import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTempDir, poll } from '@pult/testkit';
import { createTestServer, type TestServer } from '@pult/testkit/in-process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAuditLog } from '../../platform/audit.ts';
import { systemClock } from '../../platform/clock.ts';
import { hashPassword } from './password.ts';
import { overridePassword } from './password-override.ts';

const email = 'admin@example.com';
let folder: Awaited<ReturnType<typeof makeTempDir>>;
let dataDir: string;
let path: string;
let server: TestServer;

beforeEach(async () => {
  folder = await makeTempDir('first-login');
  dataDir = join(folder.path, 'data');
  path = join(dataDir, 'first-login');
  server = await createTestServer({
    environment: { DATA_DIR: dataDir, ADMIN_EMAIL: email },
    timing: { firstLoginMs: 50 },
  });
});
afterEach(async () => {
  await server.close();
  await folder.remove();
});

const readPassword = async () => /^Password: (.+)$/m.exec(await readFile(path, 'utf8'))?.[1] ?? '';
const isThere = () =>
  stat(path).then(
    () => true,
    () => false,
  );
const goes = () => poll(async () => !(await isThere()), { what: 'the file is removed' });
const logIn = (password: string) => server.call('login', { body: { username: email, password } });

describe('the file of the first login', () => {
  it('belongs to its owner alone, and stands there whole', async () => {
    const made = await server.server.createFirstAdministrator();
    expect(made).toEqual({ email, firstLoginPath: path });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toMatch(
      /^Email: admin@example\.com\nPassword: [a-km-np-z2-9]{20}\n$/,
    );
    expect(await readdir(dataDir)).toEqual(['first-login']);
  });

  it('stays after a wrong password and goes with the first login', async () => {
    await server.server.createFirstAdministrator();
    const password = await readPassword();
    expect((await logIn('a wrong password 1')).status).toBe(401);
    expect(await isThere()).toBe(true);
    expect((await logIn(password)).status).toBe(200);
    expect(await isThere()).toBe(false);
  });

  it('stays over a restart before the first login', async () => {
    await server.server.createFirstAdministrator();
    await server.server.listen();
    expect(await isThere()).toBe(true);
    await logIn(await readPassword());
    expect(await isThere()).toBe(false);
  });

  it('goes when somebody logs in at another node', async () => {
    await server.server.createFirstAdministrator();
    await server.server.listen();
    const { id } = await server.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
    const device = { user_id: id, device_hash: Buffer.alloc(32), last_seen_at: new Date() };
    await server.db.insertInto('known_devices').values(device).execute();
    await goes();
  });

  it('goes when a command gives another password', async () => {
    await server.server.createFirstAdministrator();
    await server.server.listen();
    const recordAudit = createAuditLog(server.db, systemClock).record;
    await overridePassword({ db: server.db, recordAudit }, email, await hashPassword('of the command 1'));
    await goes();
  });

  it('goes when its administrator is none any more', async () => {
    await server.server.createFirstAdministrator();
    await server.server.listen();
    await server.db.updateTable('users').set({ is_administrator: false }).execute();
    await goes();
  });

  it('goes at the start where another database has left it', async () => {
    await mkdir(dataDir);
    await writeFile(path, 'Email: gone@example.com\nPassword: of another database\n');
    await server.createUser();
    await server.server.listen();
    expect(await isThere()).toBe(false);
  });

  it('takes the place of a link, and writes nothing where that leads', async () => {
    await mkdir(dataDir);
    const target = join(folder.path, 'of-somebody-else');
    await writeFile(target, 'kept');
    await symlink(target, path);
    await server.server.createFirstAdministrator();
    expect(await readFile(target, 'utf8')).toBe('kept');
    expect(await readPassword()).toHaveLength(20);
  });

  it('keeps the account from being made where it cannot be written', async () => {
    await writeFile(dataDir, 'no folder');
    await expect(server.server.createFirstAdministrator()).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await server.db.selectFrom('users').select('id').execute()).toEqual([]);
  });
});
