import type { ErrorCode, Role, RouteName } from '@pult/contract';
import type { CallOptions, TestAnswer, TestServer, TestUser } from '@pult/testkit/in-process';
import { createId } from './testing.ts';

export interface Entry {
  /** What a permitted caller succeeds with, made anew for each call. */
  prepare(): Promise<CallOptions>;
  /** What an outsider of the organization gets: an error, or a success that shows nothing of it. */
  outsider: ErrorCode | { shows: (body: unknown) => boolean };
  /** How the call is made where a plain one does not do. */
  call?: (options: CallOptions) => Promise<TestAnswer>;
}

/** The call is about the caller and about no organization. */
export const ownAffair = { shows: () => false };

/** What a twin brings of its own to a call. */
interface Twin {
  twin: TestUser;
  body?: unknown;
  params?: Record<string, string>;
}

/**
 * Makes the call as another user who is what the caller is: the same role, or none, and the same kind of credential.
 * For what ends or changes the caller's own session, which the next call needs. Callers who are nobody stay as they are.
 */
export type CallAsTwin = (
  name: RouteName,
  options: CallOptions,
  prepareTwin: (twin: TestUser) => Promise<Twin>,
) => Promise<TestAnswer>;

/** Who is called as; filled before the first test. */
export interface Matrix {
  server: TestServer;
  /** The organization that is called at, and its members by role. */
  organization: string;
  members: Record<Role, TestUser>;
}

/** The calls about an organization and its people. */
export function createOrganizationEntries(matrix: () => Matrix) {
  const atOrganization = async () => ({ params: { organizationId: matrix().organization } });
  const outsider = 'organization_not_found';

  async function addUser(): Promise<string> {
    const { server } = matrix();
    const id = createId();
    await server.db
      .insertInto('users')
      .values({
        id,
        email: `${id}@example.com`,
        password_hash: '',
        locale: 'en',
        created_at: server.clock.now(),
      })
      .execute();
    return id;
  }

  async function prepareMember() {
    const { server, organization } = matrix();
    const userId = await addUser();
    await server.db
      .insertInto('memberships')
      .values({ organization_id: organization, user_id: userId, role: 'viewer', joined_at: new Date() })
      .execute();
    return { params: { organizationId: organization, userId } };
  }

  async function newGrant() {
    const { userId } = (await prepareMember()).params;
    const scope = { type: 'organization', id: matrix().organization };
    return { subject: { type: 'user', id: userId }, scope, role: 'viewer' };
  }

  const newEmail = () => `${createId()}@example.com`;

  async function invite(organizationId: string, as: TestUser, email: string) {
    const answer = await matrix().server.call('inviteUser', {
      as,
      params: { organizationId },
      body: { email },
    });
    const { id, inviteUrl = '' } = answer.body as { id: string; inviteUrl?: string };
    return { id, token: inviteUrl.split('?token=')[1] ?? '' };
  }

  function newEnrolmentKey() {
    const expiresAt = new Date(matrix().server.clock.now().getTime() + 24 * 3600_000).toISOString();
    return { name: 'Factory', maxUses: 5, expiresAt };
  }

  async function addEnrolmentKey() {
    const { server, organization: organizationId, members } = matrix();
    await server.db.deleteFrom('enrolment_keys').execute();
    const options = { as: members.owner, params: { organizationId }, body: newEnrolmentKey() };
    const { id: keyId } = (await server.call('createEnrolmentKey', options)).body as { id: string };
    return { params: { organizationId, keyId } };
  }

  function callerOf({ as, headers = {} }: CallOptions): TestUser | undefined {
    return as ?? Object.values(matrix().members).find(({ cookie }) => cookie === headers.cookie);
  }

  /** Another organization like the one that is called at, in which the caller is what they are there. */
  async function makeTwin(caller: TestUser | undefined, keeper: TestUser | undefined): Promise<string> {
    const { server, organization, members } = matrix();
    const { db, clock } = server;
    const id = createId();
    const { totp_required, sign_in_required } = await db
      .selectFrom('organizations')
      .select(['totp_required', 'sign_in_required'])
      .where('id', '=', organization)
      .executeTakeFirstOrThrow();
    await db
      .insertInto('organizations')
      .values({ id, name: 'Target', totp_required, sign_in_required, created_at: clock.now() })
      .execute();
    // Whoever keeps it is not to be shut out of it.
    await db
      .updateTable('organizations')
      .set({ break_glass_user_id: keeper?.id ?? null })
      .where('id', '=', id)
      .execute();
    const role = Object.entries(members).find(([, user]) => user.id === caller?.id)?.[0];
    if (caller && role) await server.addMember(id, caller, role as Role);
    if (keeper) await server.addMember(id, keeper, 'owner');
    return id;
  }

  let keeper: Promise<TestUser> | undefined;
  /** An owner with a second factor, so that no organization shuts them out. */
  function getKeeper(): Promise<TestUser> {
    const { server } = matrix();
    keeper ??= server.createUser().then(async (user) => {
      const totp = { totp_secret: Buffer.from('never opened') };
      await server.db.updateTable('users').set(totp).where('id', '=', user.id).execute();
      return user;
    });
    return keeper;
  }

  return {
    updateOrganization: {
      prepare: async () => ({ ...(await atOrganization()), body: { name: 'Target' } }),
      outsider,
    },
    deleteOrganization: {
      prepare: atOrganization,
      outsider,
      call: async (options) => {
        const organizationId = await makeTwin(callerOf(options), undefined);
        return matrix().server.call('deleteOrganization', { ...options, params: { organizationId } });
      },
    },
    leaveOrganization: {
      prepare: atOrganization,
      outsider,
      call: async (options) => {
        const organizationId = await makeTwin(callerOf(options), await getKeeper());
        return matrix().server.call('leaveOrganization', { ...options, params: { organizationId } });
      },
    },
    listMembers: { prepare: atOrganization, outsider },
    updateMember: {
      prepare: async () => ({ ...(await prepareMember()), body: { role: 'member' } }),
      outsider,
    },
    removeMember: { prepare: prepareMember, outsider },
    inviteUser: {
      prepare: async () => ({ ...(await atOrganization()), body: { email: newEmail() } }),
      outsider,
    },
    listInvites: { prepare: atOrganization, outsider },
    listGrants: { prepare: atOrganization, outsider },
    createGrant: {
      prepare: async () => ({ ...(await atOrganization()), body: await newGrant() }),
      outsider,
    },
    deleteGrant: {
      prepare: async () => {
        const { server, organization: organizationId, members } = matrix();
        const options = { as: members.owner, params: { organizationId }, body: await newGrant() };
        const { id: grantId } = (await server.call('createGrant', options)).body as { id: string };
        return { params: { organizationId, grantId } };
      },
      outsider,
    },
    getGrafanaAccess: { prepare: atOrganization, outsider },
    revokeInvite: {
      prepare: async () => {
        const { organization: organizationId, members } = matrix();
        const { id: inviteId } = await invite(organizationId, members.owner, newEmail());
        return { params: { organizationId, inviteId } };
      },
      outsider,
    },
    validateInvite: {
      // Whoever has the token was sent it.
      prepare: async () => {
        const { organization, members } = matrix();
        const { token } = await invite(organization, members.owner, newEmail());
        return { body: { organizationInviteToken: token } };
      },
      outsider: ownAffair,
    },
    acceptInvite: {
      prepare: async () => ({ body: { organizationInviteToken: 'none' } }),
      outsider: { shows: (body) => JSON.stringify(body).includes(matrix().organization) },
      call: async (options) => {
        const { server } = matrix();
        const owner = await getKeeper();
        // Who is not logged in has a token all the same.
        const email = callerOf(options)?.email ?? newEmail();
        const { token } = await invite(await makeTwin(undefined, owner), owner, email);
        return server.call('acceptInvite', { ...options, body: { organizationInviteToken: token } });
      },
    },
    listEnrolmentKeys: { prepare: atOrganization, outsider },
    createEnrolmentKey: {
      prepare: async () => ({ ...(await atOrganization()), body: newEnrolmentKey() }),
      outsider,
    },
    revokeEnrolmentKey: { prepare: addEnrolmentKey, outsider },
    listAuditEvents: { prepare: atOrganization, outsider },
  } satisfies Partial<Record<RouteName, Entry>>;
}
