import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { addPeople, createInstallation, type Installation } from './backups.fixture.ts';
import { endWhatWasOpen } from './restore/after-restore.repository.ts';
import { readRestoreNote } from './restore/restore-note.ts';

const run = promisify(execFile);
let installation: Installation;
let file: string;
let userId: string;

beforeAll(async () => {
  installation = await createInstallation();
  userId = await addPeople(installation, 'anna@example.com');
  file = await installation.back('first.tar.gz');
}, 120_000);
afterAll(() => installation.close());

it('a backup is a file for its owner alone, which any tar lists, with its manifest last', async () => {
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const { stdout } = await run('tar', ['-tzf', file]);
  const names = stdout.trim().split('\n');
  expect(names[0]).toBe('backup.json');
  expect(names.at(-1)).toBe('manifest.json');
  expect(names).toEqual(
    expect.arrayContaining(['data/secrets.json', 'postgres/backup_label', 'postgres/global/pg_control']),
  );
  expect(names.filter((name) => name.startsWith('archives/'))).toHaveLength(1);
  expect(names.filter((name) => /conf|signal|postmaster|\.part|replslot/.test(name))).toEqual([]);
});

it('a backup holds nothing back in the database when it is made', async () => {
  const { db } = installation.database;
  const { rows } = await sql`select 1 from pg_replication_slots`.execute(db);
  expect(rows).toEqual([]);
});

it('a backup that is verified tells its schema and its rows', async () => {
  const { manifest, inspection } = await installation.verify(file);
  expect(manifest.counts).toEqual({ organizations: 1, users: 1, controllers: 0 });
  expect(inspection?.schema).toBe(manifest.schema);
  expect(inspection?.counts).toMatchObject({ organizations: 1, users: 1, memberships: 1 });
  expect(await readdir(installation.path('scratch'))).toEqual([]);
}, 120_000);

it('a restored data folder has the secrets, the archives and the database', async () => {
  const target = installation.path('restored');
  await mkdir(join(target, 'lost+found'), { recursive: true });
  await installation.restore(file, target);
  const read = (dataDir: string) => readFile(join(dataDir, 'secrets.json'), 'utf8');
  expect(await read(target)).toBe(await read(installation.dataDir));
  const [name = ''] = await readdir(join(target, 'archives'));
  expect(await readFile(join(target, 'archives', name))).toEqual(
    await readFile(join(installation.dataDir, 'archives', name)),
  );
  const { db } = await installation.open(target);
  expect(await db.selectFrom('users').select('email').execute()).toEqual([{ email: 'anna@example.com' }]);
  expect(await readRestoreNote(target)).toBeInstanceOf(Date);
}, 120_000);

it('a restore refuses a folder that is not empty, and leaves it as it is', async () => {
  const target = installation.path('used');
  await mkdir(target);
  await writeFile(join(target, 'notes.txt'), 'mine');
  await expect(installation.restore(file, target)).rejects.toThrow(/not empty \(notes\.txt\)/);
  expect(await readdir(target)).toEqual(['notes.txt']);
  await expect(installation.restore(file, installation.dataDir)).rejects.toThrow(/not empty/);
});

it('a backup of a newer version is neither verified nor restored, and says which version can use it', async () => {
  const newer = await installation.back('newer.tar.gz', { madeBy: '1.10.0' });
  const refusal =
    'The backup was made by Pult 1.10.0, and this is 1.2.3. Install 1.10.0 or a newer one to use it.';
  await expect(installation.verify(newer)).rejects.toThrow(refusal);
  const target = installation.path('older-version');
  await expect(installation.restore(newer, target)).rejects.toThrow(refusal);
  // The folder is as good as before for one that can be used.
  await installation.restore(await installation.back('older.tar.gz', { madeBy: '1.1.9' }), target);
}, 120_000);

it('a backup with a schema that this version does not know is neither verified nor restored', async () => {
  const { db } = installation.database;
  await sql`insert into kysely_migration (name, timestamp) values ('9999-future', '')`.execute(db);
  const newer = await installation.back('newer-schema.tar.gz');
  await sql`delete from kysely_migration where name = '9999-future'`.execute(db);
  const refusal = /has the migration 9999-future, which this Pult does not know: it is of a newer one/;
  await expect(installation.verify(newer)).rejects.toThrow(refusal);
  const target = installation.path('older-schema');
  await expect(installation.restore(newer, target)).rejects.toThrow(refusal);
  await installation.restore(file, target);
}, 120_000);

it('a restore that was killed is begun anew', async () => {
  const target = installation.path('killed');
  await mkdir(join(target, 'restoring'), { recursive: true });
  await writeFile(join(target, 'secrets.json'), '{}');
  await installation.restore(file, target);
  expect(await readdir(target)).toEqual(expect.arrayContaining(['secrets.json', 'restored.json']));
  expect(await readdir(target)).not.toContain('restoring');
}, 120_000);

it('sessions and waiting messages of a backup end, and nobody is left with a way in', async () => {
  const { db } = installation.database;
  const now = new Date();
  const sessionId = createId();
  await db
    .insertInto('sessions')
    .values({
      id: sessionId,
      user_id: userId,
      token_hash: Buffer.alloc(32),
      address: '127.0.0.1',
      user_agent: '',
      created_at: now,
      last_used_at: now,
      expires_at: new Date(now.getTime() + 60_000),
      totp_setup_secret: null,
    })
    .execute();
  await db
    .insertInto('session_confirmations')
    .values({ session_id: sessionId, scope: 'change_password', confirmed_at: now })
    .execute();
  await db
    .insertInto('password_resets')
    .values({
      id: createId(),
      user_id: userId,
      token_hash: Buffer.alloc(32),
      created_at: now,
      expires_at: now,
    })
    .execute();
  await sql`select graphile_worker.add_job('greet')`.execute(db);
  await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker-of-before'`.execute(
    db,
  );
  const ended = await endWhatWasOpen(db, now);
  expect(ended).toEqual({ sessions: 1, deliveries: 0 });
  for (const table of ['sessions', 'session_confirmations', 'password_resets'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
  }
  const { rows } = await sql`select locked_by from graphile_worker._private_jobs`.execute(db);
  expect(rows).toEqual([{ locked_by: null }]);
});

it('a mail or webhook that waited is not sent where it is older than an hour after the backup, and otherwise is', async () => {
  const { db } = installation.database;
  const endedAt = new Date('2026-03-01T12:00:00Z');
  const after = (minutes: number) => new Date(endedAt.getTime() + minutes * 60_000);
  const add = async (channel: 'mail' | 'webhook', minutes: number) => {
    const id = createId();
    const values = { id, channel, kind: 'test', created_at: after(minutes), next_try_at: after(minutes) };
    await db
      .insertInto('deliveries')
      .values({ ...blankDelivery, ...values })
      .execute();
    return id;
  };
  const old = [await add('mail', -600), await add('webhook', 59)];
  const fresh = await add('mail', 61);
  expect(await endWhatWasOpen(db, endedAt)).toMatchObject({ deliveries: 2 });
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'status', 'next_try_at', 'last_error'])
    .execute();
  const of = (id: string) => rows.find((row) => row.id === id);
  for (const id of old) {
    expect(of(id)).toMatchObject({ status: 'refused', next_try_at: null });
    expect(of(id)?.last_error).toMatch(/^not sent: it is of a backup/);
  }
  expect(of(fresh)).toMatchObject({ status: 'waiting', next_try_at: after(61), last_error: null });
});

it('what lets somebody in and may have been withdrawn since is listed of a restored backup', async () => {
  const { db } = installation.database;
  const now = new Date();
  const organization = await db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
  await db.updateTable('users').set({ is_administrator: true }).where('id', '=', userId).execute();
  const key = (name: string, days: number, revokedAt: Date | null) => ({
    id: createId(),
    organization_id: organization.id,
    name,
    prefix: 'pek_test',
    key_hash: Buffer.from(name),
    group_id: null,
    max_uses: 5,
    expires_at: new Date(now.getTime() + days * 86_400_000),
    revoked_at: revokedAt,
    created_by: userId,
    created_at: now,
    last_used_at: null,
  });
  await db
    .insertInto('enrolment_keys')
    .values([key('Truck 7', 3, null), key('Over', -1, null), key('Withdrawn', 3, now)])
    .execute();
  const invite = {
    organization_id: organization.id,
    role: 'member' as const,
    invited_by: null,
    created_at: now,
  };
  await db
    .insertInto('invites')
    .values({
      ...invite,
      id: createId(),
      email: 'boris@example.com',
      token_hash: Buffer.alloc(32),
      expires_at: key('', 2, null).expires_at,
    })
    .execute();
  const groupId = createId();
  const tree = { organization_id: organization.id, parent_id: null, created_at: now };
  await db
    .insertInto('groups')
    .values({ ...tree, id: groupId, name: 'North' })
    .execute();
  const grant = {
    organization_id: organization.id,
    subject_user_id: userId,
    controller_id: null,
    granted_by: null,
    created_at: now,
  };
  await db
    .insertInto('grants')
    .values([
      { ...grant, id: createId(), group_id: groupId, role: 'admin', ends_at: null },
      { ...grant, id: createId(), group_id: null, role: 'viewer', ends_at: new Date(0) },
    ])
    .execute();
  const passkey = { id: createId(), user_id: userId, name: 'YubiKey', credential_id: Buffer.from('y') };
  const proof = { public_key: Buffer.alloc(1), counter: 0, transports: [], relying_party: 'localhost' };
  await db
    .insertInto('passkeys')
    .values({ ...passkey, ...proof, is_synced: false, created_at: now, last_used_at: null })
    .execute();
  const issuer = 'https://id.example.com';
  const settings = { client_id: 'pult', client_secret: Buffer.alloc(1), scopes: '', groups_claim: '' };
  await db
    .insertInto('identity_providers')
    .values({ ...settings, organization_id: organization.id, name: 'Corp', issuer, second_factor_acr: [] })
    .execute();
  const subject = { issuer, subject: 'anna', email: null, groups: [], created_at: now, checked_at: now };
  await db
    .insertInto('identities')
    .values({ ...subject, id: createId(), user_id: userId, organization_id: organization.id })
    .execute();
  const { inspection } = await installation.verify(await installation.back('credentials.tar.gz'));
  expect(inspection?.credentials).toEqual([
    'administrator of the installation: anna@example.com',
    expect.stringMatching(/^passkey of anna@example\.com: YubiKey \(/),
    'sign-in of of anna@example.com: by https://id.example.com',
    expect.stringMatching(/^login of anna@example\.com: by https:\/\/id\.example\.com \(/),
    'right of anna@example.com: admin of North in of anna@example.com',
    expect.stringMatching(/^invite of boris@example\.com as member of of anna@example\.com \(until /),
    expect.stringMatching(/^enrolment key of of anna@example\.com: Truck 7 \(until /),
  ]);
}, 120_000);

const blankDelivery = {
  recipient: 'anna@example.com',
  locale: null,
  rule_id: null,
  content: null,
  link_id: null,
  link_expires_at: null,
  last_error: null,
  response_status: null,
  tried_at: null,
  sent_at: null,
  claimed_until: null,
};
