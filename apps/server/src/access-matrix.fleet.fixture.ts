import { createTestController } from '@pult/testkit/in-process';
import type { Entry, Matrix } from './access-matrix.organizations.fixture.ts';
import { createId } from './testing.ts';

/** The calls about groups, about a fleet as a whole, and about what its controllers tell. */
export function createFleetEntries(matrix: () => Matrix) {
  async function prepareGroup() {
    const { server, organization } = matrix();
    const groupId = createId();
    await server.db
      .insertInto('groups')
      .values({
        id: groupId,
        organization_id: organization,
        parent_id: null,
        name: groupId,
        created_at: server.clock.now(),
      })
      .execute();
    return { params: { groupId } };
  }

  async function prepareController(): Promise<string> {
    const { server, organization: organizationId } = matrix();
    const { id, serialNumber } = await createTestController(server, { organizationId });
    const changes = { latitude: 60, longitude: 30 };
    await server.db.updateTable('controllers').set(changes).where('id', '=', id).execute();
    return serialNumber;
  }

  async function prepareFleet() {
    await prepareController();
    return { query: { organization_id: matrix().organization } };
  }

  return {
    mapControllers: {
      prepare: prepareFleet,
      outsider: { shows: (body) => (body as { count: number }).count > 0 },
    },
    exportControllers: {
      prepare: prepareFleet,
      // More than the line of the headings.
      outsider: { shows: (body) => String(body).trim().includes('\n') },
    },
    search: {
      prepare: async () => ({ query: { search: await prepareController() } }),
      outsider: { shows: (body) => (body as { controllers: unknown[] }).controllers.length > 0 },
    },
    getOverview: {
      prepare: async () => ({ params: { organizationId: matrix().organization } }),
      outsider: 'organization_not_found',
    },
    listGroups: {
      prepare: async () => {
        await prepareGroup();
        return { query: { organization_id: matrix().organization } };
      },
      outsider: { shows: (body) => (body as unknown[]).length > 0 },
    },
    createGroup: {
      prepare: async () => ({ body: { name: createId(), organization: matrix().organization } }),
      outsider: 'organization_not_found',
    },
    updateGroup: {
      prepare: async () => ({ ...(await prepareGroup()), body: { name: createId() } }),
      outsider: 'group_not_found',
    },
    deleteGroup: { prepare: prepareGroup, outsider: 'group_not_found' },
    restoreGroup: {
      async prepare() {
        const prepared = await prepareGroup();
        const { members, server } = matrix();
        await server.call('deleteGroup', { as: members.owner, ...prepared });
        return prepared;
      },
      outsider: 'group_not_found',
    },
    undoMove: {
      async prepare() {
        const prepared = await prepareGroup();
        const { members, server } = matrix();
        const body = { controllers: [await prepareController()] };
        const answer = await server.call('attachControllers', { as: members.owner, ...prepared, body });
        return { params: { moveId: (answer.body as { moveId: string }).moveId } };
      },
      outsider: 'move_not_found',
    },
    attachControllers: {
      prepare: async () => ({
        ...(await prepareGroup()),
        body: { controllers: [await prepareController()] },
      }),
      outsider: 'group_not_found',
    },
    getLastMqttData: {
      prepare: async () => ({ params: { serialNumber: await prepareController() } }),
      outsider: 'controller_not_found',
    },
    querySystemMetrics: {
      prepare: async () => ({
        params: { serialNumber: await prepareController() },
        body: { name: 'load15', start: '2026-01-01T00:00:00Z', stop: '2026-01-02T00:00:00+03:00' },
      }),
      outsider: 'controller_not_found',
    },
    queryControllerHistory: {
      prepare: async () => ({
        params: { serialNumber: await prepareController() },
        body: {
          controls: [{ device: 'boiler', control: 'supply' }],
          start: '2026-01-01T00:00:00Z',
          stop: '2026-01-02T00:00:00+03:00',
        },
      }),
      outsider: 'controller_not_found',
    },
    queryOrganizationHistory: {
      prepare: async () => ({
        params: { organizationId: matrix().organization },
        body: {
          device: 'boiler',
          control: 'supply',
          controllers: [await prepareController()],
          start: '2026-01-01T00:00:00Z',
          stop: '2026-01-02T00:00:00+03:00',
        },
      }),
      outsider: 'organization_not_found',
    },
    queryFleetMetrics: {
      prepare: async () => ({
        params: { organizationId: matrix().organization },
        body: { name: 'load15', start: '2026-01-01T00:00:00Z', stop: '2026-01-02T00:00:00+03:00' },
      }),
      outsider: 'organization_not_found',
    },
    queryFleetPresence: {
      prepare: async () => ({
        params: { organizationId: matrix().organization },
        body: { start: '2026-01-01T00:00:00Z', stop: '2026-01-02T00:00:00+03:00' },
      }),
      outsider: 'organization_not_found',
    },
    getControllerTraffic: {
      prepare: async () => ({ params: { serialNumber: await prepareController() } }),
      outsider: 'controller_not_found',
    },
    setControllerTrafficBudget: {
      prepare: async () => ({
        params: { serialNumber: await prepareController() },
        body: { bytes: 50_000_000 },
      }),
      outsider: 'controller_not_found',
    },
    setTrafficSaver: {
      prepare: async () => ({ params: { serialNumber: await prepareController() }, body: { enabled: true } }),
      outsider: 'controller_not_found',
    },
    getGroupTrafficBudget: { prepare: prepareGroup, outsider: 'group_not_found' },
    setGroupTrafficBudget: {
      prepare: async () => ({ ...(await prepareGroup()), body: { bytes: 50_000_000 } }),
      outsider: 'group_not_found',
    },
    listWorstControllers: {
      prepare: async () => ({ params: { organizationId: matrix().organization }, query: { name: 'load15' } }),
      outsider: 'organization_not_found',
    },
    detachControllers: {
      prepare: async () => ({ body: { controllers: [await prepareController()] } }),
      outsider: 'controller_not_found',
    },
  } satisfies Record<string, Entry>;
}
