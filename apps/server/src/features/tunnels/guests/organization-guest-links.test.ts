import type { CreatedGuestLink, OrganizationGuestLink } from '@pult/contract';
import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPartFixture, type PartFixture } from '../../grants/part.fixture.ts';

let server: TestServer;
let fixture: PartFixture;

beforeAll(async () => {
  server = await createTestServer();
  fixture = await createPartFixture(server);
});
afterAll(() => server.close());

async function share(controller: keyof PartFixture['controllers']): Promise<CreatedGuestLink> {
  const { serialNumber } = fixture.controllers[controller];
  const expiresAt = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
  const body = { service: 'ssh', name: `Guest of ${controller}`, expiresAt };
  const answer = await server.call('createGuestLink', { as: fixture.owner, params: { serialNumber }, body });
  expect(answer.status).toBe(201);
  return answer.body as CreatedGuestLink;
}

async function list(as: TestUser): Promise<OrganizationGuestLink[]> {
  const params = { organizationId: fixture.organizationId };
  const { body } = await server.call('listOrganizationGuestLinks', { as, params });
  return body as OrganizationGuestLink[];
}

it('the guest links of an organization name their controllers, and an admin of a part sees those of the part', async () => {
  const { admin, partAdmin } = await fixture.addPeople();
  const { url: _, pin: __, ...hall } = await share('hall');
  await share('south');
  const ofHall = {
    ...hall,
    controller: { serialNumber: fixture.controllers.hall.serialNumber, description: 'Boiler of HALL' },
  };
  // Newest first, and without what lets somebody in.
  const all = await list(admin);
  expect(all.map(({ name }) => name)).toEqual(['Guest of south', 'Guest of hall']);
  expect(all[1]).toEqual(ofHall);
  expect(await list(partAdmin)).toEqual([ofHall]);
});

it('a guest link that has ended is not listed', async () => {
  const { name } = await share('none');
  server.clock.advance(3_600_001);
  const { admin } = await fixture.addPeople();
  expect((await list(admin)).map((link) => link.name)).not.toContain(name);
});
