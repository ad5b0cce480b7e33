import { lifetimes } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import type { ChangedGrant, GroupGrantsRepository } from './group-grants.repository.ts';
import type { Provider } from './provider.ts';

export interface GivenByGroups {
  /** Sets what groups give, and writes down what has changed. Answers that. */
  apply(
    transaction: DatabaseTransaction,
    which: { identityId: string } | { organizationId: string },
    by: { address: string; provider: Pick<Provider, 'name'> | undefined },
  ): Promise<ChangedGrant[]>;
}

/** What people have by their groups at a provider, and the log of it. */
export function createGivenByGroups(
  { recordAudit }: Core,
  { repository }: { repository: GroupGrantsRepository },
): GivenByGroups {
  return {
    async apply(transaction, which, { address, provider }) {
      const changed = await repository.apply(transaction, which, { seconds: lifetimes.signInCheck });
      for (const { organizationId, userId, email, place, role, isGone } of changed) {
        const details = { role, place, ...(provider ? { provider: provider.name } : {}) };
        const action = isGone ? 'grant.deleted' : 'grant.created';
        const event = { action, userId, organizationId, subject: email, address, details } as const;
        await recordAudit(event, transaction);
      }
      return changed;
    },
  };
}
