import type { Alert, ControllerStatus, RouteName, SavedAlertRule } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { createId } from '../../platform/ids.ts';

export const minute = 60_000;

/** A server that is past the time in which it says nothing after its start. Nothing answers at its mail server. */
export async function createAlertsServer(): Promise<{ server: TestServer; owner: TestUser }> {
  const server = await createTestServer({
    environment: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'pult@example.com' },
  });
  const owner = await server.createUser('owner@example.com');
  server.clock.advance(11 * minute);
  return { server, owner };
}

/** A new organization, and nothing of those before it. */
export async function createEmptyFleet(server: TestServer, owner: TestUser) {
  await server.db.deleteFrom('deliveries').execute();
  await server.db.deleteFrom('controllers').execute();
  await server.db.deleteFrom('enrolments').execute();
  const organization = await server.createOrganization(owner, 'Heating');
  return { organization, fixture: createAlertsFixture(server, owner, organization) };
}

/** An organization whose controllers come and go as the test says. */
export function createAlertsFixture(server: TestServer, owner: TestUser, organizationId: string) {
  const { db, clock } = server;
  // By cookie: an access token is over in 15 minutes, and here hours pass.
  const headers = { cookie: owner.cookie, origin: server.publicUrl };

  const fixture = {
    call: (
      name: RouteName,
      options: { params?: Record<string, string>; body?: object; query?: Record<string, string> } = {},
    ) => server.call(name, { ...options, headers, params: { organizationId, ...options.params } }),
    rule: async (body: object = {}): Promise<SavedAlertRule> => {
      const answer = await fixture.call('createAlertRule', { body });
      if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
      return answer.body as SavedAlertRule;
    },
    update: (ruleId: string, body: object) => fixture.call('updateAlertRule', { params: { ruleId }, body }),

    async group(name: string, parentId: string | null = null): Promise<string> {
      const id = createId();
      await db
        .insertInto('groups')
        .values({ id, organization_id: organizationId, parent_id: parentId, name, created_at: clock.now() })
        .execute();
      return id;
    },

    /** Online. */
    controller: async (serialNumber: string, groupId: string | null = null) => {
      await createTestController(server, { organizationId, serialNumber, groupId, status: 'online' });
      return serialNumber;
    },

    /** As presence writes it. */
    async setStatus(
      status: ControllerStatus,
      serialNumbers: readonly string[],
      status_reason: 'link' | 'server_restart' = 'link',
    ): Promise<void> {
      const now = clock.now();
      await db
        .updateTable('controllers')
        .set({
          status,
          status_reason,
          status_since: now,
          ...(status_reason === 'link' ? { last_seen_at: now } : {}),
        })
        .where('serial_number', 'in', serialNumbers)
        .execute();
    },
    goOffline: (...serialNumbers: string[]) => fixture.setStatus('offline', serialNumbers),
    /** As the device writes it that leaves by itself. */
    async detach(serialNumber: string): Promise<void> {
      await db
        .updateTable('controllers')
        .set({ enrolment_id: null, status: 'offline', status_reason: 'detached', status_since: clock.now() })
        .where('serial_number', '=', serialNumber)
        .execute();
    },
    comeOnline: (...serialNumbers: string[]) => fixture.setStatus('online', serialNumbers),

    async evaluate(): Promise<void> {
      const job = server.server.jobs.find(({ name }) => name === 'evaluate-alerts');
      if (!job) throw new Error('no job evaluates alerts');
      await job.run();
    },
    /** Evaluates each minute, as the job does. */
    async pass(minutes: number): Promise<void> {
      for (let count = 0; count < minutes; count += 1) {
        clock.advance(minute);
        await fixture.evaluate();
      }
    },

    async list(query: Record<string, string> = {}): Promise<Alert[]> {
      const { body } = await fixture.call('listAlerts', { query });
      return (body as { results: Alert[] }).results;
    },
    fired: async () =>
      (await fixture.list({ page_size: '500' })).map(({ controller }) => controller.serialNumber).sort(),
    /** To whom, and what about. */
    mails: async () => (await server.readMails()).map(({ to, subject }) => `${to}: ${subject}`),
  };
  return fixture;
}
export type AlertsFixture = ReturnType<typeof createAlertsFixture>;
