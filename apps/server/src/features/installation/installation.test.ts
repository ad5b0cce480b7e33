import type { Installation } from '@pult/contract';
import {
  type CallOptions,
  createTestController,
  createTestServer,
  type TestServer,
  type TestServerOptions,
  type TestUser,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { enableTotp } from '../accounts/totp-user.fixture.ts';

let server: TestServer;
let administrator: TestUser;

async function createAdministrator(on: TestServer, email?: string): Promise<TestUser> {
  const user = await on.createUser(email);
  await on.db.updateTable('users').set({ is_administrator: true }).where('id', '=', user.id).execute();
  return user;
}

/** With an administrator of its own. */
async function open(options: TestServerOptions = {}) {
  const opened = await createTestServer(options);
  const as = await createAdministrator(opened);
  const read = async () => (await opened.call('getInstallation', { as })).body as Installation;
  return { server: opened, as, read, [Symbol.asyncDispose]: opened.close };
}

beforeAll(async () => {
  server = await createTestServer();
  administrator = await createAdministrator(server);
});
afterAll(() => server.close());

const call = (name: Parameters<TestServer['call']>[0], options: CallOptions = {}) =>
  server.call(name, { as: administrator, ...options });
const read = async () => (await call('getInstallation')).body as Installation;

async function addFailedJob(error: string, isGivenUp = true): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select id::text from graphile_worker.add_job('try-me', run_at => now() + interval '1 day')`.execute(
    server.db,
  );
  const id = rows[0]?.id ?? '';
  await sql`update graphile_worker._private_jobs set attempts = case when ${isGivenUp} then max_attempts else 1 end,
    last_error = ${error} where id::text = ${id}`.execute(server.db);
  return id;
}

describe('what administrators of the installation see', () => {
  it('every part of an installation is told, with what is wrong there', async () => {
    await server.createOrganization(administrator);
    const told = await read();
    expect(told).toMatchObject({
      version: expect.any(String),
      node: process.versions.node,
      startedAt: server.clock.now().toISOString(),
      certificates: { problems: [], list: [] },
      database: { isEmbedded: true, version: expect.stringMatching(/^1\d/), bytes: expect.any(Number) },
      controllers: { problems: [], links: 0, count: 0, countOnline: 0, limit: null },
      deliveries: { problems: ['mail_unserved'], channels: [] },
      people: {
        problems: ['administrator_without_totp'],
        organizations: 1,
        users: 1,
        usersWithoutTotp: 1,
        administrators: 1,
        administratorsWithoutTotp: 1,
      },
      backups: { problems: ['backups_unscheduled'], isScheduled: false, place: 'folder', nextAt: null },
    });
    expect(told.disk?.availableBytes).toBeGreaterThan(0);
    expect(told.jobs?.recurring).toContainEqual({
      name: 'delete-expired-sessions',
      schedule: '7 * * * *',
      lastRunAt: null,
    });
  });

  it('a source that hangs or fails leaves its own part unknown, and the others in time', async () => {
    const parts = { disk: () => new Promise<never>(() => {}), jobs: () => Promise.reject(new Error('no')) };
    await using opened = await open({ timing: { installation: { partMs: 1_000, parts } } });
    for (const _ of [1, 2]) {
      const told = await opened.read();
      expect([told.disk, told.jobs]).toEqual([null, null]);
      expect(told.database).not.toBeNull();
    }
  });

  it('what is configured and what errors say shows no secret', async () => {
    await using opened = await open({
      environment: {
        METRICS_TOKEN: 'metrics-token-of-sixteen',
        ENROLLMENT_KEY: 'strangers-stay-outside',
        SMTP_URL: 'smtp://user:mail-secret@127.0.0.1:1',
        MAIL_FROM: 'pult@example.com',
        VICTORIAMETRICS_URL: 'http://user:figures-secret@127.0.0.1:1',
      },
    });
    await sql`select graphile_worker.add_job('send')`.execute(opened.server.db);
    await sql`update graphile_worker._private_jobs
      set last_error = 'cannot fetch http://user:figures-secret@127.0.0.1:1/write' || chr(10) || 'at line of the code'`.execute(
      opened.server.db,
    );
    const told = await opened.read();
    expect(told.jobs?.failures[0]?.error).toBe('cannot fetch http://127.0.0.1:1/write');
    const { body: diagnosis, status } = await opened.server.call('getDiagnosis', { as: opened.as });
    expect(status).toBe(200);
    expect(JSON.stringify([told, diagnosis])).not.toMatch(/secret|metrics-token|strangers/);
  });

  it('a license that is used up is told, and the controllers that are there', async () => {
    await using opened = await open({ environment: { MAX_ACTIVATED_CONTROLLERS: '2' } });
    const organizationId = await opened.server.createOrganization(opened.as);
    await createTestController(opened.server, { organizationId });
    expect((await opened.read()).controllers).toMatchObject({ problems: [], count: 1, limit: 2 });
    await createTestController(opened.server, { organizationId });
    expect((await opened.read()).controllers?.problems).toEqual(['license_reached']);
  });

  it('messages that wait too long or were given up today are told', async () => {
    const { clock, db } = server;
    const add = (changes: { status: 'waiting' | 'refused'; created_at: Date; tried_at?: Date }) =>
      db
        .insertInto('deliveries')
        .values({
          id: createId(),
          channel: 'webhook',
          kind: 'alert',
          recipient: null,
          locale: null,
          rule_id: null,
          content: Buffer.from('sealed'),
          link_id: null,
          link_expires_at: null,
          last_error: null,
          response_status: null,
          tried_at: null,
          sent_at: null,
          next_try_at: null,
          claimed_until: null,
          ...changes,
        })
        .execute();
    const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000);
    await add({ status: 'waiting', created_at: ago(20) });
    await add({ status: 'refused', created_at: ago(2000), tried_at: ago(1500) });
    expect((await read()).deliveries?.problems).toEqual(['mail_unserved']);
    await add({ status: 'waiting', created_at: ago(40) });
    await add({ status: 'refused', created_at: ago(90), tried_at: ago(60) });
    expect((await read()).deliveries).toEqual({
      problems: ['deliveries_late', 'deliveries_refused', 'mail_unserved'],
      channels: [{ channel: 'webhook', waiting: 2, oldestWaitingAt: ago(40).toISOString(), refused: 1 }],
    });
  });

  it('organizations come with what they have, those with the most controllers first', async () => {
    await using opened = await open();
    const small = await opened.server.createOrganization(opened.as, 'Small');
    const large = await opened.server.createOrganization(opened.as, 'Large');
    await opened.server.addMember(
      small,
      await enableTotp(opened.server, await opened.server.createUser()),
      'viewer',
    );
    await createTestController(opened.server, { organizationId: large });
    const list = (query: Record<string, string>) =>
      opened.server.call('listInstallationOrganizations', { as: opened.as, query });
    const { body } = await list({});
    const row = { archiveBytes: 0, measurementBytes: 0, createdAt: opened.server.clock.now().toISOString() };
    expect(body).toMatchObject({
      count: 2,
      results: [
        { ...row, id: large, name: 'Large', controllers: 1, members: 1, membersWithoutTotp: 1 },
        { ...row, id: small, name: 'Small', controllers: 0, members: 2, membersWithoutTotp: 1 },
      ],
    });
    const { body: second } = await list({ page: '2', page_size: '1' });
    expect(second).toMatchObject({ count: 2, next: null, results: [{ name: 'Small' }] });
  });
});

describe('what administrators of the installation do', () => {
  it('a job whose last try has failed is made due again, once', async () => {
    const jobId = await addFailedJob('broken');
    const failure = { id: jobId, name: 'try-me', error: 'broken', isGivenUp: true };
    const told = await read();
    expect(told.jobs).toMatchObject({ problems: ['jobs_failed'], failed: 1, failures: [failure] });
    expect((await call('retryJob', { params: { jobId } })).status).toBe(204);
    const { jobs } = await read();
    expect(jobs).toMatchObject({ problems: [], failed: 0, due: 1 });
    const events = await server.db
      .selectFrom('audit_events')
      .select(['user_id', 'subject'])
      .where('action', '=', 'job.retried')
      .execute();
    expect(events).toEqual([{ user_id: administrator.id, subject: 'try-me' }]);
    for (const other of ['0', '99999999999999999999', 'x']) {
      expect(await call('retryJob', { params: { jobId: other } })).toMatchObject({
        status: 404,
        body: { code: 'job_not_found' },
      });
    }
  });

  it('a backup that is asked for begins, and its failure is told', async () => {
    const asked = await call('createBackup');
    expect(asked).toMatchObject({ status: 202, body: { name: expect.stringMatching(/^pult-.*\.tar\.gz$/) } });
    const told = async () => (await read()).backups;
    await expect
      .poll(told)
      .toMatchObject({ isUnderWay: false, lastFailure: { reason: expect.stringContaining('no database') } });
    expect((await told())?.problems).toContain('backup_failed');
  });

  it('nobody becomes an administrator by a call', async () => {
    const user = await server.createUser();
    const body = { locale: 'en', isAdministrator: true };
    expect((await server.call('updateCurrentUser', { as: user, body })).status).toBe(400);
    const me = await server.call('getCurrentUser', { as: user });
    expect(me.body).toMatchObject({ isAdministrator: false });
  });

  it('an administrator with a second factor is asked for a code, which is good for an hour', async () => {
    const user = await enableTotp(server, await createAdministrator(server));
    const ask = () => server.call('getInstallation', { headers: { cookie: user.cookie } });
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'totp_required' } });
    const verified = await server.call('verifyTotp', {
      headers: { cookie: user.cookie, origin: server.publicUrl },
      body: { scope: 'administer_installation', code: user.code() },
    });
    expect(verified.status).toBe(200);
    expect((await ask()).status).toBe(200);
    server.clock.advance(3_599_000);
    expect((await ask()).status).toBe(200);
    server.clock.advance(1_000);
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'totp_expired' } });
  });
});
