import { routes } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createCallers } from '../../platform/access/caller.fixture.ts';
import { Events, type EventTopics } from '../../platform/events/events.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createId } from '../../platform/ids.ts';
import { createLog } from '../../platform/log.ts';
import { type ControllerChanges, createControllersRepository } from './controllers.repository.ts';
import { type ControllersService, createControllersService } from './controllers.service.ts';

let server: TestServer;
let owner: TestUser;
let principal: Principal;
let organizationId: string;
let service: ControllersService;
let serialNumber: string;
/** What the rest of the server is told. */
let told: Array<{ topic: keyof EventTopics; event: EventTopics[keyof EventTopics] }>;
let released: string[];

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner, 'Fleet');
  principal = {
    userId: owner.id,
    sessionId: createId(),
    email: owner.email,
    locale: 'en',
    hasTotp: false,
    isAdministrator: false,
    mayEnterTotpOrganizations: false,
    hasGrants: false,
    sessionExpiresAt: server.clock.now(),
  };
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ serialNumber } = await createTestController(server, { organizationId }));
  [told, released] = [[], []];
  const events = new Events(createLog('silent'));
  for (const topic of ['accessEnded', 'enrolmentChanged', 'organization'] as const) {
    events.subscribe(topic, (event) => void told.push({ topic, event }));
  }
  service = createControllersService(
    { db: server.db, events },
    {
      repository: createControllersRepository(server.db),
      releaseEnrolment: async (_transaction, enrolmentId) => void released.push(enrolmentId),
    },
  );
});

const updateController = async (changes: ControllerChanges) =>
  service.updateController(
    await createCallers(server)(routes.updateController, principal, { serialNumber }),
    changes,
  );
const deleteController = async () =>
  service.deleteController(await createCallers(server)(routes.deleteController, principal, { serialNumber }));

const find = () =>
  server.db
    .selectFrom('controllers')
    .select(['id', 'enrolment_id'])
    .where('serial_number', '=', serialNumber)
    .executeTakeFirstOrThrow();

/** Deletes the controller beside a call that has seen it already. */
async function deleteBeside(call: () => Promise<unknown>): Promise<unknown> {
  const { id } = await find();
  return server.db.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('controllers').where('id', '=', id).execute();
    const answer = call().catch((error: unknown) => error);
    await expect.poll(() => server.isWaitingForLock(1)).toBe(true);
    return { answer };
  });
}

describe('what the rest of the server is told', () => {
  it('a deletion ends what is open, frees the device and is seen by the organization', async () => {
    const { id, enrolment_id: enrolmentId } = await find();
    await deleteController();
    expect(told).toEqual([
      { topic: 'accessEnded', event: { controllerId: id } },
      { topic: 'enrolmentChanged', event: { enrolmentId } },
      {
        topic: 'organization',
        event: { organizationId, event: { type: 'controller.deleted', serialNumber } },
      },
    ]);
    expect(released).toEqual([enrolmentId]);
  });

  it('a change is seen by the organization and ends nothing', async () => {
    await updateController({ description: 'Boiler' });
    expect(told).toEqual([
      {
        topic: 'organization',
        event: { organizationId, event: { type: 'controller.updated', serialNumber } },
      },
    ]);
  });
});

describe('a controller that goes between the question and the act', () => {
  it.each([
    ['changed', () => updateController({ description: 'x' })],
    ['deleted', () => deleteController()],
  ] as const)('a controller that is gone cannot be %s, which says its name', async (_act, call) => {
    const { answer } = (await deleteBeside(call)) as { answer: Promise<unknown> };
    expect(await answer).toMatchObject({ code: 'controller_not_found', values: { serialNumber } });
    expect(told).toEqual([]);
  });
});
