import type { Core } from '../../platform/core.ts';
import { createDeliveriesRepository } from '../../platform/delivery/index.ts';
import { createAccountsRepository } from './accounts.repository.ts';
import { createPasswordRepository } from './password.repository.ts';
import { createSessionsRepository } from './sessions.repository.ts';

/**
 * A new password by whoever has the server's machine. Ends the user's sessions, which a running server notices
 * within a second, and every link to reset the password. False when there is no such user.
 */
export async function overridePassword(
  { db, recordAudit }: Pick<Core, 'db' | 'recordAudit'>,
  email: string,
  hash: string,
): Promise<boolean> {
  const user = await createAccountsRepository(db).getUserByEmail(email);
  if (!user) return false;
  const passwords = createPasswordRepository(db);
  await db.transaction().execute(async (transaction) => {
    await passwords.set(transaction, user.id, hash);
    const deliveries = createDeliveriesRepository(db);
    for (const id of await passwords.deleteResets(transaction, user.id)) {
      await deliveries.purgeOfLink(transaction, id);
    }
    const ended = await createSessionsRepository(db).deleteAll(transaction, user.id);
    const event = {
      action: 'password.reset',
      userId: user.id,
      subject: email,
      address: 'localhost',
    } as const;
    await recordAudit({ ...event, details: { endedSessions: ended.length } }, transaction);
  });
  return true;
}
