import { limits } from '@pult/contract';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import type { GrantsRepository, NewGrant } from './grants.repository.ts';

/** In place of what the subject has at this very place. Refused with grants_limit_reached where there are too many. */
export async function putGrant(
  repository: GrantsRepository,
  transaction: DatabaseTransaction,
  grant: NewGrant,
): Promise<void> {
  const { organizationId, subject } = grant;
  await repository.deleteAt(transaction, organizationId, subject, grant);
  const counts = await repository.count(transaction, organizationId, subject);
  const full = [
    { count: counts.all, limit: limits.grantsPerOrganization },
    { count: counts.ofSubject, limit: limits.grantsPerSubject },
  ].find(({ count, limit }) => count >= limit);
  if (full) throw new DomainError('grants_limit_reached', { limit: full.limit });
  await repository.create(transaction, grant);
}
