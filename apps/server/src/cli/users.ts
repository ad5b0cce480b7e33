import { defaultLocale, normalizeEmail } from '@pult/contract';
import {
  createAccountsRepository,
  createPassword,
  hashPassword,
  overridePassword,
  resetTotp,
} from '../features/accounts/index.ts';
import { createAuditLog } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import { createId } from '../platform/ids.ts';
import { withDatabase } from './with-database.ts';

function print(email: string, password: string): void {
  process.stdout.write(`Email: ${email}\nPassword: ${password}\n`);
}

/** Makes an account with a random password; it belongs to no organization yet. */
export async function addUser(given: string): Promise<void> {
  const email = normalizeEmail(given);
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw new Error(`${given} is not an email address.`);
  const password = createPassword();
  const passwordHash = await hashPassword(password);
  await withDatabase(async (db) => {
    const accounts = createAccountsRepository(db);
    await db.transaction().execute(async (transaction) => {
      if (await accounts.getUserByEmail(email)) throw new Error(`${email} has an account already.`);
      const user = { id: createId(), email, passwordHash, locale: defaultLocale, createdAt: new Date() };
      await accounts.createUser(transaction, user);
      const event = {
        action: 'user.created',
        userId: user.id,
        subject: email,
        address: 'localhost',
      } as const;
      await createAuditLog(db, systemClock).record(event, transaction);
    });
    print(email, password);
  });
}

/** The way back in when a password is lost and no mail can be sent. */
export async function setPassword(given: string): Promise<void> {
  const email = normalizeEmail(given);
  const password = createPassword();
  const passwordHash = await hashPassword(password);
  await withDatabase(async (db) => {
    const recordAudit = createAuditLog(db, systemClock).record;
    if (!(await overridePassword({ db, recordAudit }, email, passwordHash)))
      throw new Error(`${email} has no account.`);
    print(email, password);
  });
}

/** The way back in when the phone and the recovery codes are lost. */
export async function resetSecondFactor(given: string): Promise<void> {
  const email = normalizeEmail(given);
  await withDatabase(async (db) => {
    const outcome = await resetTotp({ db, recordAudit: createAuditLog(db, systemClock).record }, email);
    if (outcome === 'no user') throw new Error(`${email} has no account.`);
    if (outcome === 'no TOTP') throw new Error(`${email} has no second factor.`);
    process.stdout.write(`The second factor of ${email} is off. The password alone is enough now.\n`);
  });
}
