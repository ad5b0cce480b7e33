import type { Group } from '@pult/contract';
import { createTestController, type TestServer, type TestUser } from '@pult/testkit/in-process';

/** An organization with a tree to work on, through the calls that people use. */
export function createGroupFixture(server: TestServer, admin: () => TestUser) {
  return {
    create: (organization: string, name: string, parent: string | null = null, as = admin()) =>
      server.call('createGroup', { as, body: { name, parent, organization } }),
    async createId(organization: string, name: string, parent: string | null = null): Promise<string> {
      const { body } = await server.call('createGroup', {
        as: admin(),
        body: { name, parent, organization },
      });
      return (body as Group).id;
    },
    update: (groupId: string, body: unknown, as = admin()) =>
      server.call('updateGroup', { as, params: { groupId }, body }),
    remove: (groupId: string, as = admin()) => server.call('deleteGroup', { as, params: { groupId } }),
    restore: (groupId: string, as = admin()) => server.call('restoreGroup', { as, params: { groupId } }),
    attach: (groupId: string, body: unknown, as = admin()) =>
      server.call('attachControllers', { as, params: { groupId }, body }),
    detach: (body: unknown, as = admin()) => server.call('detachControllers', { as, body }),
    async trees(organization: string, query: Record<string, string> = {}, as = admin()): Promise<Group[]> {
      const answer = await server.call('listGroups', {
        as,
        query: { organization_id: organization, ...query },
      });
      return answer.body as Group[];
    },
    async addControllers(
      organization: string,
      serialNumbers: readonly string[],
      groupId: string | null = null,
    ) {
      for (const serialNumber of serialNumbers) {
        await createTestController(server, { organizationId: organization, serialNumber, groupId });
      }
    },
    /** The group of each controller, by serial number. */
    async groupsOf(organization: string): Promise<Record<string, string | null>> {
      const rows = await server.db
        .selectFrom('controllers')
        .select(['serial_number', 'group_id'])
        .where('organization_id', '=', organization)
        .execute();
      return Object.fromEntries(rows.map((row) => [row.serial_number, row.group_id]));
    },
  };
}
export type GroupFixture = ReturnType<typeof createGroupFixture>;

/** Names of groups, nested as the groups are. */
export type Outline = { [name: string]: Outline };
export function outline(groups: readonly Group[]): Outline {
  return Object.fromEntries(groups.map(({ name, subgroups }) => [name, outline(subgroups)]));
}
