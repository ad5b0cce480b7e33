import { createTestController, createTestServer, type TestServer } from '@pult/testkit/in-process';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { createLocalLinks } from '../devices/local-links.ts';
import { createRunningUpdatesRepository } from './running-updates.repository.ts';
import { createRunningUpdates } from './running-updates.ts';

let server: TestServer;
let organizationId: string;
/** What nodes see of devices. */
let reached: ReadonlySet<string>;

beforeEach(async () => {
  server = await createTestServer();
  organizationId = await server.createOrganization(await server.createUser());
  reached = new Set(['another one']);
});
afterEach(() => server.close());

/** What tends updates at one node of however many. */
const createNode = () =>
  createRunningUpdates(
    { events: server.server.events, log: createLog('silent'), clock: server.clock },
    {
      repository: createRunningUpdatesRepository(server.db, server.server.node),
      agentPackage: undefined,
      links: createLocalLinks(server.clock),
      router: { listReached: async () => reached, isAnyReached: async () => reached.size > 0 },
    },
  );

/** One that its agent has stored this moment. */
async function sendUpdate() {
  const { id: controllerId, enrolmentId } = await createTestController(server, { organizationId });
  const id = createId();
  await server.db
    .insertInto('agent_updates')
    .values({
      ...{ id, controller_id: controllerId, status: 'running', reason: null, detail: null },
      ...{ from_version: '0.9.0', to_version: '1.0.0', may_downgrade: false },
      ...{ requested_by: null, is_automatic: true, created_at: server.clock.now() },
      ...{ sent_at: null, tended_at: null, finished_at: null, node_id: null },
    })
    .execute();
  await createRunningUpdatesRepository(server.db, server.server.node).markSent(id, server.clock.now());
  return { id, enrolmentId };
}

async function pass(seconds: number): Promise<void> {
  server.clock.advance(seconds * 1000);
  await server.db
    .updateTable('agent_updates')
    .set({ tended_at: sql<Date>`tended_at - make_interval(secs => ${seconds})` })
    .execute();
}

/** With its silence in whole minutes: the test's own seconds count, too. */
async function read(id: string): Promise<{ status: string; reason: string | null; minutes: number }> {
  const row = await server.db
    .selectFrom('agent_updates')
    .select(['status', 'reason', 'silent_seconds'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { status: row.status, reason: row.reason, minutes: Math.floor(row.silent_seconds / 60) };
}

it('silence of an agent is counted once, whichever node tends', async () => {
  const nodes = [createNode(), createNode(), createNode()];
  const { id } = await sendUpdate();
  for (let minute = 0; minute < 19; minute += 1) {
    await pass(60);
    await nodes[minute % 3]?.tend();
  }
  expect(await read(id)).toEqual({ status: 'running', reason: null, minutes: 19 });
  await pass(60);
  await nodes[0]?.tend();
  expect(await read(id)).toMatchObject({ status: 'failed', reason: 'silent' });
});

it('silence of an agent is not counted by what a node has missed before the update was sent', async () => {
  const [paused, other] = [createNode(), createNode()];
  const earlier = await sendUpdate();
  await paused.tend();
  for (let minute = 0; minute < 15; minute += 1) {
    await pass(60);
    await other.tend();
  }
  const { id } = await sendUpdate();
  await pass(60);
  await paused.tend();
  expect(await read(id)).toMatchObject({ minutes: 1 });
  expect(await read(earlier.id)).toMatchObject({ minutes: 16 });
});

it('silence of an agent is not counted while no server runs', async () => {
  const { id } = await sendUpdate();
  await pass(60);
  await createNode().tend();
  await pass(3600);
  const restarted = createNode();
  await restarted.tend();
  // As much of it as between two tendings.
  expect(await read(id)).toMatchObject({ minutes: 3 });
  await pass(60);
  await restarted.tend();
  expect(await read(id)).toMatchObject({ minutes: 4 });
});

it('silence of an agent is not counted for the time in which it was reached, nor while nobody is', async () => {
  const { id, enrolmentId } = await sendUpdate();
  const node = createNode();
  for (const seen of [[enrolmentId], []]) {
    reached = new Set(seen);
    await pass(60);
    await node.tend();
  }
  expect(await read(id)).toMatchObject({ minutes: 0 });
  reached = new Set(['another one']);
  await pass(60);
  await node.tend();
  expect(await read(id)).toMatchObject({ minutes: 1 });
});
