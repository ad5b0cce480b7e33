import type { Grant, GrantRole, RouteName } from '@pult/contract';
import { createTestController, type TestServer, type TestUser } from '@pult/testkit/in-process';
import { createId } from '../../platform/ids.ts';

/**
 * An organization with a tree, a controller at each place, and people with rights on parts of it:
 *
 *   (none)  NONE-1
 *   North   NORTH-1
 *     Plant   PLANT-1
 *       Hall    HALL-1
 *   South   SOUTH-1
 */
export async function createPartFixture(server: TestServer, prefix = createId().slice(-6).toUpperCase()) {
  const owner = await server.createUser();
  const organizationId = await server.createOrganization(owner, 'Tree');

  async function addGroup(name: string, parentId: string | null = null): Promise<string> {
    const id = createId();
    await server.db
      .insertInto('groups')
      .values({
        id,
        organization_id: organizationId,
        parent_id: parentId,
        name,
        created_at: server.clock.now(),
      })
      .execute();
    return id;
  }

  const addController = (name: string, groupId: string | null) =>
    createTestController(server, {
      organizationId,
      groupId,
      serialNumber: `${prefix}-${name}`,
      description: `Boiler of ${name}`,
      status: 'online',
    });

  const north = await addGroup('North');
  const plant = await addGroup('Plant', north);
  const hall = await addGroup('Hall', plant);
  const south = await addGroup('South');
  const groups = { north, plant, hall, south };
  const controllers = {
    none: await addController('NONE', null),
    north: await addController('NORTH', north),
    plant: await addController('PLANT', plant),
    hall: await addController('HALL', hall),
    south: await addController('SOUTH', south),
  };

  const place = (
    at: keyof typeof groups | keyof typeof controllers | 'organization',
    isController: boolean,
  ) => {
    if (at === 'organization') return { type: 'organization', id: organizationId };
    if (isController) return { type: 'controller', id: controllers[at].serialNumber };
    return { type: 'group', id: groups[at as keyof typeof groups] };
  };

  return {
    owner,
    organizationId,
    groups,
    controllers,
    addGroup,

    /** Straight in the database, where how it was given does not matter. */
    async grant(
      user: TestUser,
      role: GrantRole,
      at: { groupId?: string; controllerId?: string } = {},
      until: Date | null = null,
    ): Promise<string> {
      const id = createId();
      await server.db
        .insertInto('grants')
        .values({
          id,
          organization_id: organizationId,
          subject_user_id: user.id,
          group_id: at.groupId ?? null,
          controller_id: at.controllerId ?? null,
          role,
          ends_at: until,
          granted_by: owner.id,
          created_at: server.clock.now(),
        })
        .execute();
      return id;
    },

    /** `admin` of the whole organization, `member` a viewer of it whose rights are changed, `partAdmin` an admin of Plant alone. */
    async addPeople(): Promise<{ admin: TestUser; member: TestUser; partAdmin: TestUser }> {
      const admin = await server.createUser();
      const member = await server.createUser();
      const partAdmin = await server.createUser();
      await server.addMember(organizationId, admin, 'admin');
      await server.addMember(organizationId, member, 'viewer');
      await this.grant(partAdmin, 'admin', { groupId: plant });
      return { admin, member, partAdmin };
    },

    /** What the log tells of the organization, of actions that begin so. */
    listEvents: (prefix: string) =>
      server.db
        .selectFrom('audit_events')
        .select(['action', 'user_id', 'subject', 'details'])
        .where('organization_id', '=', organizationId)
        .where('action', 'like', `${prefix}.%`)
        .orderBy('id')
        .execute(),

    /** By the call. */
    create: (as: TestUser, body: object) =>
      server.call('createGrant', { as, params: { organizationId }, body }),
    end: (as: TestUser, grantId: string) =>
      server.call('deleteGrant', { as, params: { organizationId, grantId } }),
    async list(as: TestUser, query: Record<string, string> = {}) {
      const answer = await server.call('listGrants', { as, params: { organizationId }, query });
      return answer.body as Grant[];
    },
    ofGroup: (name: keyof typeof groups) => place(name, false),
    ofController: (name: keyof typeof controllers) => place(name, true),
    ofOrganization: () => place('organization', false),

    /** The names of the controllers that somebody's list shows. */
    async listNames(as: TestUser, query: Record<string, string> = {}, name: RouteName = 'listControllers') {
      const answer = await server.call(name, { as, query: { organization_id: organizationId, ...query } });
      const { results } = answer.body as { results: { serialNumber: string }[] };
      return results.map(({ serialNumber }) => serialNumber.replace(`${prefix}-`, '')).sort();
    },
    prefix,
  };
}
export type PartFixture = Awaited<ReturnType<typeof createPartFixture>>;
