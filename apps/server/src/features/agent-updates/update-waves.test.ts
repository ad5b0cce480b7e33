import type { AgentUpdateState, Installation } from '@pult/contract';
import type { UpdateReport } from '@pult/link';
import {
  createListeningServer,
  createTestDevice,
  enrolTestDevice,
  type LinkedDevice,
  type ListeningServer,
  linkTestDevice,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createAgentDirectory } from './agent-directory.fixture.ts';

let directory: Awaited<ReturnType<typeof createAgentDirectory>>;
let server: ListeningServer;
let owner: TestUser;
let organization: string;
const linked: LinkedDevice[] = [];

beforeEach(async () => {
  directory = await createAgentDirectory('1.0.0');
  server = await createListeningServer({
    agentDirectory: directory.path,
    environment: { AGENT_UPDATES: 'auto' },
  });
  owner = await server.createUser();
  organization = await server.createOrganization(owner);
});
afterEach(async () => {
  for (const { link } of linked.splice(0)) link.close();
  await server.close();
  await directory.remove();
});

/** What becomes of the version when it is started. */
type Outcome = 'done' | 'returned' | 'silent';

/** A device that takes each update, and comes back by what becomes of it. */
async function addDevice(serialNumber: string, outcome: Outcome): Promise<void> {
  const device = createTestDevice(serialNumber);
  const body = { token: tokenOf(await enrolTestDevice(server, device)), organization };
  // The cookie lives longer than the minutes that pass here.
  const headers = { cookie: owner.cookie, origin: server.publicUrl };
  expect((await server.call('activateController', { headers, body })).status).toBe(200);
  const link = async (agentVersion: string, update?: UpdateReport) => {
    const current = await linkTestDevice(server, device, {
      info: { agentVersion, ...(update ? { update } : {}) },
      handlers: {
        async takeUpdate({ manifest }) {
          const { id, version } = JSON.parse(manifest);
          return {
            async store(file) {
              for await (const _ of file);
            },
            start() {
              current.link.close();
              if (outcome === 'done') void link(version, { id, outcome });
              if (outcome === 'returned') void link(agentVersion, { id, outcome, reason: 'it did not link' });
            },
          };
        },
      },
    });
    linked.push(current);
  };
  await link('0.9.0');
}

async function addFleet(count: number, outcomeOf: (index: number) => Outcome = () => 'done'): Promise<void> {
  for (let index = 0; index < count; index += 1) await addDevice(`WAVE-${index}`, outcomeOf(index));
  await vi.waitFor(async () => {
    const { body } = await server.call('listControllers', {
      as: owner,
      query: { agent_version: '0.9.0', status: 'online' },
    });
    expect(body).toMatchObject({ count });
  });
}

/** The job runs, a minute later, by the clock of the database too. */
async function passMinute(): Promise<void> {
  server.clock.advance(60_000);
  await server.db
    .updateTable('agent_updates')
    .set({ tended_at: sql<Date>`tended_at - interval '1 minute'` })
    .execute();
  await server.server.jobs.find(({ name }) => name === 'tend-agent-updates')?.run();
}

async function countStatuses(): Promise<Record<string, number>> {
  const rows = await server.db.selectFrom('agent_updates').select('status').execute();
  const counts: Record<string, number> = {};
  for (const { status } of rows) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
const waitForStatuses = (expected: Record<string, number>) =>
  vi.waitFor(async () => expect(await countStatuses()).toEqual(expected), 15_000);

it('brings a version to one of a hundred, to ten of them, to all, each once those before have linked', async () => {
  await addFleet(15);
  await passMinute();
  await waitForStatuses({ done: 1 });
  await passMinute();
  expect(await countStatuses()).toEqual({ done: 1 });
  await passMinute();
  await waitForStatuses({ done: 2 });
  await passMinute();
  await passMinute();
  await waitForStatuses({ done: 15 });
  await vi.waitFor(async () => {
    const { body } = await server.call('listControllers', { as: owner, query: { agent_version: '1.0.0' } });
    expect(body).toMatchObject({ count: 15 });
  });
  const state = await server.call('getAgentUpdate', { as: owner, params: { serialNumber: 'WAVE-0' } });
  expect((state.body as AgentUpdateState).latest).toMatchObject({ status: 'done', requestedBy: null });
});

it('stops at the first that returns', async () => {
  await addFleet(12, () => 'returned');
  await passMinute();
  await waitForStatuses({ returned: 1 });
  for (let minute = 0; minute < 5; minute += 1) await passMinute();
  expect(await countStatuses()).toEqual({ returned: 1 });
  // Which one it is, the list says.
  const listed = async (agent_update: string) =>
    (await server.call('listControllers', { as: owner, query: { agent_update } })).body;
  const agentUpdate = { status: 'returned', reason: null, toVersion: '1.0.0' };
  expect(await listed('returned,failed')).toMatchObject({ count: 1, results: [{ agentUpdate }] });
  expect(await listed('waiting,running')).toMatchObject({ count: 0 });
});

it('goes on after a stop when an administrator of the installation says so, and stops at the next that returns', async () => {
  const administrator = await server.createUser();
  await server.db
    .updateTable('users')
    .set({ is_administrator: true })
    .where('id', '=', administrator.id)
    .execute();
  // The cookie lives longer than the minutes that pass here.
  const headers = { cookie: administrator.cookie, origin: server.publicUrl };
  const resume = () => server.call('resumeAgentUpdates', { headers });
  const readUpdates = async () =>
    ((await server.call('getInstallation', { headers })).body as Installation).agentUpdates;
  await addFleet(12, () => 'returned');
  expect(await readUpdates()).toMatchObject({
    problems: [],
    version: '1.0.0',
    agents: 12,
    older: 12,
    wave: null,
  });
  await passMinute();
  await waitForStatuses({ returned: 1 });
  expect(await resume()).toMatchObject({ status: 409, body: { code: 'agent_updates_not_stopped' } });
  await passMinute();
  const at = server.clock.now().toISOString();
  expect(await readUpdates()).toMatchObject({
    problems: ['agent_updates_stopped'],
    isAutomatic: true,
    wave: {
      share: 0.01,
      begun: 1,
      underWay: 0,
      stopped: { at, reason: 'returned', detail: 'it did not link' },
    },
  });
  expect((await resume()).status).toBe(204);
  expect(await readUpdates()).toMatchObject({ problems: [], wave: { stopped: null } });
  for (let minute = 0; minute < 2; minute += 1) await passMinute();
  await waitForStatuses({ returned: 2 });
  for (let minute = 0; minute < 5; minute += 1) await passMinute();
  expect(await countStatuses()).toEqual({ returned: 2 });
  expect(await readUpdates()).toMatchObject({ problems: ['agent_updates_stopped'], wave: { share: 0.1 } });
  const resumed = await server.db
    .selectFrom('audit_events')
    .select(['user_id', 'subject'])
    .where('action', '=', 'agent_updates.resumed')
    .execute();
  expect(resumed).toEqual([{ user_id: administrator.id, subject: '1.0.0' }]);
});

it('gives up one that does not come back, by the minutes in which another device reaches the server', async () => {
  await addFleet(3, () => 'silent');
  await passMinute();
  await vi.waitFor(async () => {
    const rows = await server.db.selectFrom('agent_updates').select('sent_at').execute();
    expect(rows.map(({ sent_at }) => sent_at !== null)).toEqual([true]);
  });
  for (let minute = 0; minute < 18; minute += 1) await passMinute();
  expect(await countStatuses()).toEqual({ running: 1 });
  for (const { link } of linked) link.close();
  await vi.waitFor(() => expect(server.server.links.listIds()).toEqual([]));
  // Nobody reaches it: that may be the server's own network.
  for (let minute = 0; minute < 30; minute += 1) await passMinute();
  expect(await countStatuses()).toEqual({ running: 1 });
  await addDevice('WAVE-OTHER', 'done');
  for (let minute = 0; minute < 4; minute += 1) await passMinute();
  expect(await countStatuses()).toEqual({ failed: 1 });
  await passMinute();
  expect(await countStatuses()).toEqual({ failed: 1 });
});
