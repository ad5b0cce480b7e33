import type { Core } from '../../../platform/core.ts';
import type { HeldOrganization } from './organization-shares.ts';
import { listWhomToTell } from './share-mails.repository.ts';

/** Mails to the administrators of the installation, and to those of the organization. */
export function createTellShare({ db, mail }: Pick<Core, 'db' | 'mail'>) {
  return ({ organizationId, bytes, availableBytes }: HeldOrganization): Promise<void> =>
    db.transaction().execute(async (transaction) => {
      for (const { organization, isAdministrator, ...person } of await listWhomToTell(
        transaction,
        organizationId,
      )) {
        const page = isAdministrator ? ['installation'] : ['organizations', organizationId];
        const values = { organization, taken: bytes, available: availableBytes, page };
        await mail.send('measurements-held', person, values, transaction);
      }
    });
}
