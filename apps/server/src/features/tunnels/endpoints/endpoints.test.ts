import { limits, type NamedEndpoint } from '@pult/contract';
import {
  createTestController,
  createTestServer,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let owner: TestUser;
let organizationId: string;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  organizationId = await server.createOrganization(owner);
});
afterAll(() => server.close());

const addController = async () => (await createTestController(server, { organizationId })).serialNumber;
const create = (serialNumber: string, body: unknown, as = owner) =>
  server.call('createService', { as, params: { serialNumber }, body });
const list = async (serialNumber: string, as = owner) =>
  (await server.call('listServices', { as, params: { serialNumber } })).body as NamedEndpoint[];
const at = (serialNumber: string, port: number | string) => ({ serialNumber, port: String(port) });

describe('the named endpoints of a controller', () => {
  it('the named endpoints of a controller are named, listed by name, renamed and forgotten', async () => {
    const serialNumber = await addController();
    expect(await list(serialNumber)).toEqual([]);
    const first = await create(serialNumber, { port: 1880, name: '  Node-RED ' });
    expect(first).toMatchObject({ status: 201, body: { port: 1880, name: 'Node-RED', scheme: 'http' } });
    await create(serialNumber, { port: 9090, name: 'Cockpit', scheme: 'https' });
    expect((await list(serialNumber)).map(({ port }) => port)).toEqual([9090, 1880]);

    const params = at(serialNumber, 1880);
    const renamed = await server.call('updateService', { as: owner, params, body: { name: 'Flows' } });
    expect(renamed).toMatchObject({ status: 200, body: { port: 1880, name: 'Flows', scheme: 'http' } });
    const unchanged = await server.call('updateService', { as: owner, params, body: {} });
    expect(unchanged.body).toEqual(renamed.body);
    expect((await server.call('deleteService', { as: owner, params })).status).toBe(204);
    expect(await list(serialNumber)).toEqual([
      { port: 9090, name: 'Cockpit', scheme: 'https', hostHeader: null, isReserved: false, oldTls: null },
    ]);
  });

  it('the named endpoints of a controller have a name of their own as Host until it is taken away', async () => {
    const serialNumber = await addController();
    const made = await create(serialNumber, { port: 631, name: 'CUPS', hostHeader: ' Printer.local:631 ' });
    expect(made).toMatchObject({ status: 201, body: { hostHeader: 'printer.local:631' } });
    const params = at(serialNumber, 631);
    const update = (body: object) => server.call('updateService', { as: owner, params, body });
    expect((await update({ name: 'Printer' })).body).toMatchObject({ hostHeader: 'printer.local:631' });
    expect((await update({ hostHeader: 'localhost' })).body).toMatchObject({ hostHeader: 'localhost' });
    expect(await list(serialNumber)).toMatchObject([{ name: 'Printer', hostHeader: 'localhost' }]);
    expect((await update({ hostHeader: null })).body).toMatchObject({ name: 'Printer', hostHeader: null });
  });

  it.each([
    [{ port: 0, name: 'x' }, 'port'],
    [{ port: 65_536, name: 'x' }, 'port'],
    [{ port: 80.5, name: 'x' }, 'port'],
    [{ port: '8080', name: 'x' }, 'port'],
    [{ port: 8080, name: ' ' }, 'name'],
    [{ port: 8080, name: 'x'.repeat(limits.endpointNameLength + 1) }, 'name'],
    [{ port: 8080, name: 'x', scheme: 'ftp' }, 'scheme'],
    [{ port: 8080, name: 'x', host: '10.0.0.1' }, 'host'],
    [{ port: 8080, name: 'x', hostHeader: 'a\r\nX-Y: z' }, 'hostHeader'],
    [{ port: 8080, name: 'x', hostHeader: '' }, 'hostHeader'],
  ])('refuse %j by its field', async (body, field) => {
    const answer = await create(await addController(), body);
    expect(answer.status).toBe(400);
    expect(Object.keys(answer.body as object)).toEqual([field]);
  });

  it('the named endpoints of a controller have one name a port, also when many ask at once', async () => {
    const serialNumber = await addController();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => create(serialNumber, { port: 8080, name: `No. ${index}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(400)]);
    const refused = answers.find(({ status }) => status === 400);
    expect(refused?.body).toEqual({ port: [expect.stringMatching(/already/)] });
  });

  it('the named endpoints of a controller are so many at most and no more, also when all are added at once', async () => {
    const serialNumber = await addController();
    const answers = await Promise.all(
      Array.from({ length: limits.endpointsPerController + 5 }, (_, index) =>
        create(serialNumber, { port: 3000 + index, name: 'Panel' }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(limits.endpointsPerController);
    for (const { status, body } of answers) {
      if (status !== 201) expect([status, body]).toMatchObject([409, { code: 'services_limit_reached' }]);
    }
    expect(await list(serialNumber)).toHaveLength(limits.endpointsPerController);
  });

  it.each(['1', '70000', '0', '08080', 'http', '%00'])('know none on port %s', async (port) => {
    const params = at(await addController(), port);
    for (const name of ['updateService', 'deleteService'] as const) {
      const body = name === 'updateService' ? { name: 'x' } : undefined;
      expect(await server.call(name, { as: owner, params, body })).toMatchObject({
        status: 404,
        body: { code: 'service_not_found' },
      });
    }
  });

  it('go with their controller', async () => {
    const serialNumber = await addController();
    await create(serialNumber, { port: 8080, name: 'Panel' });
    await server.call('deleteController', { as: owner, params: { serialNumber } });
    const left = await server.db
      .selectFrom('controller_endpoints')
      .leftJoin('controllers', 'controllers.id', 'controller_endpoints.controller_id')
      .where('controllers.id', 'is', null)
      .select('port')
      .execute();
    expect(left).toEqual([]);
  });

  it('the named endpoints of a controller are written down in the audit log', async () => {
    const serialNumber = await addController();
    const params = at(serialNumber, 8080);
    await create(serialNumber, { port: 8080, name: 'Panel' });
    await server.call('updateService', { as: owner, params, body: { name: 'Flows' } });
    await server.call('deleteService', { as: owner, params });
    const events = await server.db
      .selectFrom('audit_events')
      .select(['action', 'details', 'organization_id as organization'])
      .where('subject', '=', serialNumber)
      .where('action', 'like', 'service.%')
      .orderBy('id')
      .execute();
    expect(events).toEqual([
      { action: 'service.created', details: { service: 'Panel', port: 8080 }, organization: organizationId },
      { action: 'service.updated', details: { service: 'Flows', port: 8080 }, organization: organizationId },
      { action: 'service.deleted', details: { service: 'Flows', port: 8080 }, organization: organizationId },
    ]);
  });
});
