import { createTestServer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createGroupFixture, type GroupFixture } from './group.fixture.ts';

export interface AttachmentFixture {
  server: TestServer;
  fixture: GroupFixture;
  admin: TestUser;
  /** Anew for each test, with a group and three controllers in none. */
  organization: string;
  /** Of the test, for more serial numbers that no other has. */
  number: number;
  group: string;
  serialNumbers: [string, string, string];
  /** The serial numbers of those in the group, or in another one. */
  inGroup(id?: string | null): Promise<string[]>;
}

/** For all tests of a file, by its hooks; there is nothing in it before the first. */
export function useAttachmentFixture(): AttachmentFixture {
  const t = {
    number: 0,
    inGroup: async (id: string | null = t.group) =>
      Object.entries(await t.fixture.groupsOf(t.organization))
        .filter(([, each]) => each === id)
        .map(([serialNumber]) => serialNumber)
        .sort(),
  } as AttachmentFixture;
  beforeAll(async () => {
    t.server = await createTestServer();
    t.admin = await t.server.createUser();
    t.fixture = createGroupFixture(t.server, () => t.admin);
  });
  afterAll(() => t.server.close());
  beforeEach(async () => {
    t.organization = await t.server.createOrganization(t.admin, 'Fleet');
    t.group = await t.fixture.createId(t.organization, 'group');
    t.number += 1;
    t.serialNumbers = [`S${t.number}-A`, `S${t.number}-B`, `S${t.number}-C`];
    await t.fixture.addControllers(t.organization, t.serialNumbers);
  });
  return t;
}
