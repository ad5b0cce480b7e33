import type { Invite, Role } from '@pult/contract';
import type { TestAnswer, TestMail, TestServer, TestUser } from '@pult/testkit/in-process';

export interface InviteFixture {
  invite(as: TestUser, email: string, role?: Role, headers?: Record<string, string>): Promise<TestAnswer>;
  list(as: TestUser): Promise<Invite[]>;
  mailsTo(email: string): Promise<TestMail[]>;
  /** Invites and answers the token of the link. */
  tokenFor(as: TestUser, email: string, role?: Role): Promise<string>;
  accept(as: TestUser, token: string): Promise<TestAnswer>;
  validate(token: string): Promise<TestAnswer>;
  roleOf(user: TestUser): Promise<Role | undefined>;
}

/** The same user after the access token's life of 15 minutes. */
export async function logInAgain(server: TestServer, user: TestUser): Promise<TestUser> {
  const body = { username: user.email, password: user.password };
  return { ...user, ...((await server.call('login', { body })).body as { access: string }) };
}

/** The calls about invites of one organization, in the words of the tests. */
export function createInviteFixture(server: TestServer, organization: string): InviteFixture {
  const params = { organizationId: organization };
  const ofToken = (organizationInviteToken: string) => ({ body: { organizationInviteToken } });
  const fixture: InviteFixture = {
    invite: (as, email, role, headers = {}) =>
      server.call('inviteUser', { as, params, headers, body: { email, ...(role ? { role } : {}) } }),
    list: async (as) => (await server.call('listInvites', { as, params })).body as Invite[],
    mailsTo: async (email) => (await server.readMails()).filter(({ to }) => to === email),
    async tokenFor(as, email, role) {
      const { status, body } = await fixture.invite(as, email, role);
      if (status !== 200) throw new Error(`invite answered ${status}`);
      return (body as { inviteUrl: string }).inviteUrl.split('?token=')[1] ?? '';
    },
    accept: (as, token) => server.call('acceptInvite', { as, ...ofToken(token) }),
    validate: (token) => server.call('validateInvite', ofToken(token)),
    async roleOf(user) {
      const row = await server.db
        .selectFrom('memberships')
        .select('role')
        .where('organization_id', '=', organization)
        .where('user_id', '=', user.id)
        .executeTakeFirst();
      return row?.role;
    },
  };
  return fixture;
}
