import { randomBytes } from 'node:crypto';
import type { CreatedEnrolmentKey, EnrolmentKey } from '@pult/contract';
import { ENROLLMENT_KEY_HEADER } from '@pult/link';
import {
  createTestDevice,
  enrolTestDevice,
  type TestAnswer,
  type TestDevice,
  type TestServer,
  type TestUser,
} from '@pult/testkit/in-process';

export interface KeyRequest {
  name?: string;
  group?: string | null;
  maxUses?: number;
  expiresAt?: string;
}

export const newDevice = () => createTestDevice(`KEY-${randomBytes(5).toString('hex').toUpperCase()}`);

/** The calls about the keys of one organization, in the words of the tests. */
export function createKeyFixture(server: TestServer, owner: TestUser, organizationId: string) {
  const params = { organizationId };
  const inDays = (days: number) =>
    new Date(server.clock.now().getTime() + days * 24 * 3600_000).toISOString();
  const fixture = {
    inDays,
    create: (request: KeyRequest = {}, as = owner): Promise<TestAnswer> => {
      const body = { name: 'Factory', maxUses: 10, expiresAt: inDays(30), ...request };
      return server.call('createEnrolmentKey', { as, params, body });
    },
    async createKey(request: KeyRequest = {}): Promise<CreatedEnrolmentKey> {
      const { status, body } = await fixture.create(request);
      if (status !== 201) throw new Error(`the key was answered ${status}: ${JSON.stringify(body)}`);
      return body as CreatedEnrolmentKey;
    },
    list: async (as = owner) =>
      (await server.call('listEnrolmentKeys', { as, params })).body as EnrolmentKey[],
    async getKey(id: string): Promise<EnrolmentKey> {
      const key = (await fixture.list()).find((each) => each.id === id);
      if (!key) throw new Error(`there is no key ${id}`);
      return key;
    },
    revoke: (keyId: string, as = owner): Promise<TestAnswer> =>
      server.call('revokeEnrolmentKey', { as, params: { organizationId, keyId } }),
    enrol: (key: string, device: TestDevice = newDevice()): Promise<TestAnswer> =>
      enrolTestDevice(server, device, { headers: { [ENROLLMENT_KEY_HEADER]: key } }),
    async createGroup(name: string): Promise<string> {
      const answer = await server.call('createGroup', {
        as: owner,
        body: { name, organization: organizationId },
      });
      return (answer.body as { id: string }).id;
    },
    async controllerOf({ serialNumber }: TestDevice) {
      return server.db
        .selectFrom('controllers')
        .selectAll()
        .where('serial_number', '=', serialNumber)
        .executeTakeFirst();
    },
    listEvents: () =>
      server.db
        .selectFrom('audit_events')
        .select(['action', 'user_id', 'subject', 'details'])
        .where('organization_id', '=', organizationId)
        .orderBy('at')
        .execute(),
  };
  return fixture;
}
export type KeyFixture = ReturnType<typeof createKeyFixture>;
