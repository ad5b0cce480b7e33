import { defaultLocale, normalizeEmail, validationTexts } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { FieldError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import type { AdministratorsRepository } from './administrators.repository.ts';
import { createFirstLoginFile, type FirstLoginTiming } from './first-login.ts';
import { createPassword, hashPassword } from './password.ts';
import { requireGoodPassword } from './password-rule.ts';

export interface FirstAdministrator {
  email: string;
  /** Where the password is, when it was made here. It is told nowhere else. */
  firstLoginPath?: string;
}

export interface NewInstallation {
  timing: FirstLoginTiming;
  /** In the transaction that makes the account. */
  createOwnedOrganization: (
    transaction: DatabaseTransaction,
    organization: { id: string; name: string; ownerId: string },
  ) => Promise<void>;
}

interface Dependencies extends NewInstallation {
  repository: AccountsRepository;
  administrators: AdministratorsRepository;
}

export function createFirstAdministrators(
  core: Core,
  { timing, repository, administrators, createOwnedOrganization }: Dependencies,
) {
  const { db, clock, config } = core;
  const { admin: settings, settings: installation } = config;
  const firstLogin = createFirstLoginFile(core, { repository, intervalMs: timing.firstLoginMs });

  async function make(email: string, password: string): Promise<FirstAdministrator | undefined> {
    const passwordHash = await hashPassword(password);
    let isWritten = false;
    const making = db.transaction().execute(async (transaction) => {
      if (await repository.hasUsers(transaction)) return undefined;
      await requireGoodAdminPassword(password, email);
      const id = createId();
      const createdAt = clock.now();
      await repository.createUser(transaction, { id, email, passwordHash, locale: defaultLocale, createdAt });
      await administrators.grant(transaction, id);
      const organization = { id: createId(), name: installation.serviceName, ownerId: id };
      await createOwnedOrganization(transaction, organization);
      if (settings.password !== undefined) return { email };
      // Before the account is there: what only a memory knows would be lost with the process.
      await firstLogin.write({ email, password });
      isWritten = true;
      return { email, firstLoginPath: firstLogin.path };
    });
    return making.catch(async (error: unknown) => {
      if (isWritten) await firstLogin.remove();
      throw error;
    });
  }

  return {
    firstLogin,

    /**
     * Makes the first account with its organization when there is none. Undefined when the installation has users already. Two
     * servers starting at once make one account.
     */
    async create(): Promise<FirstAdministrator | undefined> {
      // Most starts: hashing a password only to find that out would take longer than all other questions of the start.
      if (await db.transaction().execute((transaction) => repository.hasUsers(transaction))) return undefined;
      const email = normalizeEmail(settings.email ?? 'admin@example.com');
      return make(email, settings.password ?? createPassword());
    },
  };
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
