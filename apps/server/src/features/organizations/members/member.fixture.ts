import type { TestAnswer, TestServer, TestUser } from '@pult/testkit/in-process';

/** The calls about members of one organization, in the words of the tests. */
export function createMemberFixture(server: TestServer, organizationId: string) {
  const of = (user: { id: string }) => ({ organizationId, userId: user.id });
  return {
    setRole: (as: TestUser, user: { id: string }, role: unknown): Promise<TestAnswer> =>
      server.call('updateMember', { as, params: of(user), body: { role } }),
    remove: (as: TestUser, user: { id: string }): Promise<TestAnswer> =>
      server.call('removeMember', { as, params: of(user) }),
    leave: (as: TestUser): Promise<TestAnswer> =>
      server.call('leaveOrganization', { as, params: { organizationId } }),
    /** What the audit log has of these actions, oldest first. */
    auditOf: (...actions: string[]) =>
      server.db
        .selectFrom('audit_events')
        .select(['action', 'user_id', 'subject', 'address', 'details'])
        .where('organization_id', '=', organizationId)
        .where('action', 'in', actions)
        .orderBy('id')
        .execute(),
  };
}
export type MemberFixture = ReturnType<typeof createMemberFixture>;
