import { sql } from 'kysely';
import type { DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { MailRecipient } from '../../../platform/mail/index.ts';

export interface ShareRecipient extends MailRecipient {
  organization: string;
  /** Of the installation. */
  isAdministrator: boolean;
}

/** Whoever administers the installation or this organization. The server itself asks: there is no scope. */
export async function listWhomToTell(
  transaction: DatabaseTransaction,
  organizationId: string,
): Promise<ShareRecipient[]> {
  return transaction
    .selectFrom('users')
    .innerJoin('organizations', (join) => join.on('organizations.id', '=', organizationId))
    .select([
      'users.email',
      'users.locale',
      'organizations.name as organization',
      'users.is_administrator as isAdministrator',
    ])
    .where('users.kind', '=', 'person')
    .where((eb) =>
      eb.or([
        eb('users.is_administrator', '=', true),
        sql<boolean>`users.id in (
          select user_id from memberships
          where memberships.organization_id = ${organizationId} and role in ('owner', 'admin'))`,
      ]),
    )
    .orderBy('users.email')
    .execute();
}
