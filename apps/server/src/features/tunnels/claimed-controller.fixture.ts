import {
  enrolTestDevice,
  type TestDevice,
  type TestServer,
  type TestUser,
  tokenOf,
} from '@pult/testkit/in-process';

/** Enrols and claims a device that never links. */
export async function addClaimed(
  server: TestServer,
  user: TestUser,
  organization: string,
  device: TestDevice,
): Promise<void> {
  const token = tokenOf(await enrolTestDevice(server, device));
  await server.call('activateController', { as: user, body: { token, organization } });
}
