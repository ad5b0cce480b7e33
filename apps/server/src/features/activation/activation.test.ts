import {
  createTestDevice,
  createTestServer,
  enrolTestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let owner: TestUser;
let organization: string;

beforeAll(async () => {
  server = await createTestServer();
  owner = await server.createUser();
  organization = await server.createOrganization(owner);
});
afterAll(() => server.close());

describe('activation', () => {
  it('claims a controller by the token its device shows', async () => {
    const device = createTestDevice('CLAIM-1');
    const token = tokenOf(await enrolTestDevice(server, device));
    const validated = await server.call('validateActivation', { as: owner, body: { token } });
    expect(validated).toMatchObject({ status: 200, body: { controllerSerialNumber: 'CLAIM-1' } });

    const activated = await server.call('activateController', { as: owner, body: { token, organization } });
    expect(activated).toMatchObject({
      status: 200,
      body: { serialNumber: 'CLAIM-1', organization: { id: organization }, status: 'never', group: null },
    });
    const again = await enrolTestDevice(server, device);
    expect(again.body).toEqual({ activated: true, activationLink: null });
  });

  it('lets one of two claims at once succeed', async () => {
    for (let round = 0; round < 20; round += 1) {
      const token = tokenOf(await enrolTestDevice(server, createTestDevice(`RACE-${round}`)));
      const claims = await Promise.all(
        [1, 2].map(() => server.call('activateController', { as: owner, body: { token, organization } })),
      );
      expect(claims.map((claim) => claim.status).sort()).toEqual([200, 400]);
    }
  });
});
