import { LinkRefusedError } from '@pult/link';
import {
  createListeningServer,
  createTestDevice,
  enrolTestDevice,
  type ListeningServer,
  type TestDevice,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';

/** A server to which devices can be linked, and an organization that claims them. */
export interface LinkFixture {
  server: ListeningServer;
  owner: TestUser;
  enrol(serialNumber: string): Promise<{ device: TestDevice; token: string }>;
  claim(token: string): ReturnType<ListeningServer['call']>;
  getController(serialNumber: string): Promise<unknown>;
}

export async function createLinkFixture(): Promise<LinkFixture> {
  const server = await createListeningServer({ timing: { touchIntervalMs: 100 } });
  const owner = await server.createUser();
  const organization = await server.createOrganization(owner);
  return {
    server,
    owner,
    async enrol(serialNumber) {
      const device = createTestDevice(serialNumber);
      return { device, token: tokenOf(await enrolTestDevice(server, device)) };
    },
    claim: (token) => server.call('activateController', { as: owner, body: { token, organization } }),
    getController: async (serialNumber) =>
      (await server.call('getController', { as: owner, params: { serialNumber } })).body,
  };
}

/** Why a dial was refused. */
export async function readRefusal(dialled: Promise<unknown>) {
  const error = await dialled.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof LinkRefusedError)) throw new Error(`not refused: ${error}`);
  return { status: error.status, ...error.refusal };
}
