import { createTestServer, type TestAnswer, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemberFixture, type MemberFixture } from './member.fixture.ts';

let server: TestServer;
let organization: string;
let fixture: MemberFixture;
let first: TestUser;
let second: TestUser;

beforeAll(async () => {
  server = await createTestServer();
  [first, second] = [await server.createUser(), await server.createUser()];
  organization = await server.createOrganization(first);
  fixture = createMemberFixture(server, organization);
});
afterAll(() => server.close());

type Act = (by: TestUser, other: TestUser) => Promise<TestAnswer>;
const acts: [string, number, Act][] = [
  ['leave', 200, (by) => fixture.leave(by)],
  ['step down', 60, (by) => fixture.setRole(by, by, 'viewer')],
  ['demote each other', 60, (by, other) => fixture.setRole(by, other, 'member')],
  ['remove each other', 60, (by, other) => fixture.remove(by, other)],
];

async function makeBothOwners(): Promise<void> {
  await server.db.deleteFrom('memberships').where('organization_id', '=', organization).execute();
  for (const owner of [first, second]) await server.addMember(organization, owner, 'owner');
}

async function countOwners(): Promise<number> {
  const owners = await server.db
    .selectFrom('memberships')
    .select('user_id')
    .where('organization_id', '=', organization)
    .where('role', '=', 'owner')
    .execute();
  return owners.length;
}

describe('an organization with two owners', () => {
  it.each(acts)('keeps one when both %s at once, %i times', async (_, rounds, act) => {
    for (let round = 0; round < rounds; round += 1) {
      await makeBothOwners();
      const answers = await Promise.all([act(first, second), act(second, first)]);
      expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(await countOwners()).toBe(1);
    }
  });

  it.each(acts)('keeps one when one of them does “%s” and the other anything at once', async (_, __, act) => {
    for (const [, , other] of acts) {
      for (let round = 0; round < 5; round += 1) {
        await makeBothOwners();
        const answers = await Promise.all([act(first, second), other(second, first)]);
        for (const { status } of answers) expect(status).toBeLessThan(500);
        expect(await countOwners()).toBeGreaterThan(0);
      }
    }
  });
});
