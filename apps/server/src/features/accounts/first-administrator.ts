import { defaultLocale, validationTexts } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { FieldError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import type { AdministratorsRepository } from './administrators.repository.ts';
import { createPassword, hashPassword } from './password.ts';
import { requireGoodPassword } from './password-rule.ts';

export interface FirstAdministrator {
  email: string;
  /** Present only when it was made here: to be shown once and stored nowhere. */
  generatedPassword?: string;
}

/**
 * Makes the first account when there is none, with what `createOrganization` adds in the same transaction.
 * Undefined when the installation has users already. Two servers starting at once make one account.
 */
export async function createFirstAdministrator(
  {
    db,
    repository,
    administrators,
    clock,
  }: {
    db: Database;
    repository: AccountsRepository;
    administrators: AdministratorsRepository;
    clock: Clock;
  },
  settings: { email?: string; password?: string },
  createOrganization: (transaction: DatabaseTransaction, ownerId: string) => Promise<void>,
): Promise<FirstAdministrator | undefined> {
  // Most starts: hashing a password only to find that out would take longer than all other questions of the start.
  if (await db.transaction().execute((transaction) => repository.hasUsers(transaction))) return undefined;
  const email = (settings.email ?? 'admin@example.com').toLowerCase();
  const password = settings.password ?? createPassword();
  const passwordHash = await hashPassword(password);
  return db.transaction().execute(async (transaction) => {
    if (await repository.hasUsers(transaction)) return undefined;
    await requireGoodAdminPassword(password, email);
    const id = createId();
    const createdAt = clock.now();
    await repository.createUser(transaction, { id, email, passwordHash, locale: defaultLocale, createdAt });
    await administrators.grant(transaction, id);
    await createOrganization(transaction, id);
    return settings.password === undefined ? { email, generatedPassword: password } : { email };
  });
}

/** Said of the variable, as whoever starts the server knows it. */
async function requireGoodAdminPassword(password: string, email: string): Promise<void> {
  try {
    await requireGoodPassword('ADMIN_PASSWORD', password, email);
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    throw new Error(`ADMIN_PASSWORD: ${validationTexts[error.text].en}`);
  }
}
