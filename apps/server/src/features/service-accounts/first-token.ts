import type { GrantRole, Permission } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import { createId } from '../../platform/ids.ts';
import { createIssuedTokens, createTokensRepository, describeToken } from '../accounts/index.ts';
import { createServiceAccountsRepository } from './service-accounts.repository.ts';

export interface FirstTokenWish {
  service: string;
  organizationId: string;
  /** Of an account that is made; given to one that is there already only where it was asked for. */
  role: GrantRole | undefined;
  token: { name: string; scopes: readonly Permission[]; networks: readonly string[]; expiresAt: Date };
}

/**
 * A token of a service account by whoever has the server's machine; the account too, with a right on the whole organization, where there
 * is none of that name. Undefined where there is no such organization.
 */
export async function createFirstToken(
  { db, recordAudit, clock }: Pick<Core, 'db' | 'recordAudit' | 'clock'>,
  wish: FirstTokenWish,
): Promise<{ token: string; isNew: boolean; organization: string } | undefined> {
  const { organizationId, service: name } = wish;
  const accounts = createServiceAccountsRepository(db);
  const tokens = createIssuedTokens({ clock }, { repository: createTokensRepository(db) });
  return db.transaction().execute(async (transaction) => {
    const organization = await accounts.holdOrganization(transaction, organizationId);
    if (organization === undefined) return undefined;
    const event = { organizationId, subject: name, address: 'localhost' } as const;
    const found = await accounts.findByName(transaction, organizationId, name);
    const id = found?.id ?? createId();
    const createdAt = clock.now();
    if (!found) {
      await accounts.create(transaction, { id, organizationId, name, createdBy: null, createdAt });
      await recordAudit({ ...event, action: 'service_account.created' }, transaction);
    }
    const role = wish.role ?? (found ? undefined : 'admin');
    if (role !== undefined) {
      await accounts.grantAtRoot(transaction, { accountId: id, organizationId, role, createdAt });
      await recordAudit(
        { ...event, action: 'grant.created', details: { role, place: organization } },
        transaction,
      );
    }
    const made = await tokens.add(transaction, { userId: id, kind: 'service' }, wish.token, 'localhost');
    await recordAudit({ ...event, action: 'token.created', details: describeToken(made) }, transaction);
    return { token: made.token, isNew: !found, organization };
  });
}
