import type { CreatedToken, GrantRole, Permission, ServiceAccount, SshKey } from '@pult/contract';
import type { TestServer, TestUser } from '@pult/testkit/in-process';
import { createId } from '../../platform/ids.ts';

let names = 0;

/** A service account, made by the calls as a person makes it. */
export async function createServiceAccount(
  server: Pick<TestServer, 'call'>,
  as: TestUser,
  organizationId: string,
  name = `robot-${++names}`,
) {
  const answer = await server.call('createServiceAccount', {
    as,
    params: { organizationId },
    body: { name },
  });
  if (answer.status !== 201) throw new Error(`createServiceAccount answered ${answer.status}`);
  const { id } = answer.body as ServiceAccount;
  const params = { organizationId, accountId: id };
  return {
    id,
    name,
    params,
    async addToken(scopes: readonly Permission[], more: { expiresAt?: string; name?: string } = {}) {
      const body = { name: 'Script', scopes, ...more };
      const made = await server.call('createServiceAccountToken', { as, params, body });
      if (made.status !== 201) throw new Error(`createServiceAccountToken answered ${made.status}`);
      return made.body as CreatedToken;
    },
    async addKey(publicKey: string) {
      const added = await server.call('addServiceAccountKey', {
        as,
        params,
        body: { name: 'Runner', publicKey },
      });
      if (added.status !== 201) throw new Error(`addServiceAccountKey answered ${added.status}`);
      return added.body as SshKey;
    },
  };
}

/** Straight in the database, where how it was given does not matter. */
export async function grantService(
  { db, clock }: Pick<TestServer, 'db' | 'clock'>,
  accountId: string,
  grant: { organizationId: string; role: GrantRole; groupId?: string | undefined; grantedBy?: string },
): Promise<string> {
  const id = createId();
  await db
    .insertInto('grants')
    .values({
      ...{ id, organization_id: grant.organizationId, subject_user_id: accountId, role: grant.role },
      ...{ group_id: grant.groupId ?? null, controller_id: null, ends_at: null },
      ...{ granted_by: grant.grantedBy ?? null, created_at: clock.now() },
    })
    .execute();
  return id;
}
