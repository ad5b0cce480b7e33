import { normalizeEmail } from '@pult/contract';
import { createAccountsRepository, createAdministratorsRepository } from '../features/accounts/index.ts';
import { ownCommand } from '../own-command.ts';
import { createAuditLog } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import { withDatabase } from './with-database.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

type Change = 'grant' | 'revoke';

const actions = { grant: 'administrator.granted', revoke: 'administrator.revoked' } as const;

/** Undefined when the account was so before. Whoever is left after it. */
async function change(given: string, what: Change): Promise<{ email: string; left: string[] } | undefined> {
  const email = normalizeEmail(given);
  let changed: { email: string; left: string[] } | undefined;
  await withDatabase(async (db) => {
    const administrators = createAdministratorsRepository(db);
    const user = await createAccountsRepository(db).getUserByEmail(email);
    if (!user) throw new Error(`${email} has no account.`);
    const isDone = await db.transaction().execute(async (transaction) => {
      if (!(await administrators[what](transaction, user.id))) return false;
      const event = { action: actions[what], userId: user.id, subject: email, address: 'localhost' };
      await createAuditLog(db, systemClock).record(event, transaction);
      return true;
    });
    if (isDone) changed = { email, left: await administrators.list() };
  });
  return changed;
}

export async function grantAdministrator(given: string): Promise<void> {
  const changed = await change(given, 'grant');
  if (!changed) throw new Error(`${given.trim()} is an administrator of the installation already.`);
  print(`${changed.email} is an administrator of the installation now.`);
}

/** A running server notices at the next call. */
export async function revokeAdministrator(given: string): Promise<void> {
  const changed = await change(given, 'revoke');
  if (!changed) throw new Error(`${given.trim()} is no administrator of the installation.`);
  print(`${changed.email} is no administrator of the installation any more.`);
  if (changed.left.length === 0) print(`Nobody is one now. Make one: ${ownCommand} user grant-admin EMAIL`);
}

export async function listAdministrators(): Promise<void> {
  await withDatabase(async (db) => {
    const emails = await createAdministratorsRepository(db).list();
    for (const email of emails) print(email);
    if (emails.length === 0) print(`There is none. Make one: ${ownCommand} user grant-admin EMAIL`);
  });
}
