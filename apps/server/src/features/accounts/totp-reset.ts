import type { Core } from '../../platform/core.ts';
import { createAccountsRepository } from './accounts.repository.ts';
import { createSessionsRepository } from './sessions.repository.ts';
import { createTotpRepository } from './totp.repository.ts';

/**
 * The way back in for one who has lost phone and recovery codes, by whoever has the server's machine: turns TOTP off
 * and ends the user's sessions, which a running server notices within a second.
 */
export async function resetTotp(
  { db, recordAudit }: Pick<Core, 'db' | 'recordAudit'>,
  email: string,
): Promise<'done' | 'no user' | 'no TOTP'> {
  const user = await createAccountsRepository(db).getUserByEmail(email);
  if (!user) return 'no user';
  return db.transaction().execute(async (transaction) => {
    const totp = createTotpRepository(db);
    if (!(await totp.disable(transaction, user.id))) return 'no TOTP';
    await totp.setRecoveryCodes(transaction, user.id, []);
    // The confirmations of a session go with it.
    const ended = await createSessionsRepository(db).deleteAll(transaction, user.id);
    const details = { endedSessions: ended.length };
    const event = { action: 'totp.reset', userId: user.id, subject: email, address: 'localhost' } as const;
    await recordAudit({ ...event, details }, transaction);
    return 'done';
  });
}
