import { sql } from 'kysely';
import type { Database } from '../../../platform/db/schema.ts';

const hour = 3_600_000;

/**
 * Ends what was open when the backup was made and has since been used up, withdrawn or sent by the server that went on: sessions with
 * their confirmations and tunnels, tickets, links to set a password, codes by which programs log in, sign-ins on their way, links of guests, mails and webhooks. Devices prove themselves by their keys, and
 * programs by tokens, which stay as people’s SSH keys do.
 */
export async function endWhatWasOpen(
  db: Database,
  backupEndedAt: Date,
): Promise<{ sessions: number; deliveries: number }> {
  return db.transaction().execute(async (transaction) => {
    const sessions = await transaction
      .deleteFrom('sessions')
      .where('is_token', '=', false)
      .executeTakeFirst();
    await transaction.deleteFrom('tunnels').execute();
    await transaction.deleteFrom('grafana_accesses').execute();
    await transaction.deleteFrom('password_resets').execute();
    await transaction.deleteFrom('device_logins').execute();
    await transaction.deleteFrom('pending_sign_ins').execute();
    await transaction.deleteFrom('guest_links').execute();
    await transaction
      .updateTable('enrolments')
      .set({ return_token_hash: null })
      .where('return_token_hash', 'is not', null)
      .execute();
    const deliveries = await transaction
      .updateTable('deliveries')
      .set({
        status: 'refused',
        next_try_at: null,
        claimed_until: null,
        last_error: 'not sent: it is of a backup, whose server may have sent it',
      })
      .where('status', '=', 'waiting')
      .where('created_at', '<', new Date(backupEndedAt.getTime() + hour))
      .executeTakeFirst();
    // Of the workers of that server: they would hold their jobs for four hours.
    await sql`
      select graphile_worker.force_unlock_workers(array_agg(distinct locked_by))
      from graphile_worker.jobs where locked_by is not null`.execute(transaction);
    return { sessions: Number(sessions.numDeletedRows), deliveries: Number(deliveries.numUpdatedRows) };
  });
}
