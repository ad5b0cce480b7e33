import type { TotpScope } from '@pult/contract';
import type { TestServer, TestUser } from '@pult/testkit/in-process';

/** Turns TOTP on for a user whose codes nobody will ask for. */
export async function giveSecondFactor({ db }: TestServer, user: TestUser): Promise<void> {
  const totp = { totp_secret: Buffer.from('never opened') };
  await db.updateTable('users').set(totp).where('id', '=', user.id).execute();
}

/** As if the user had just confirmed the scope by a code, in each of their sessions. */
export async function confirm({ db, clock }: TestServer, user: TestUser, scope: TotpScope): Promise<void> {
  const sessions = await db.selectFrom('sessions').select('id').where('user_id', '=', user.id).execute();
  await db
    .insertInto('session_confirmations')
    .values(sessions.map(({ id }) => ({ session_id: id, scope, confirmed_at: clock.now() })))
    .onConflict((conflict) =>
      conflict.columns(['session_id', 'scope']).doUpdateSet({ confirmed_at: clock.now() }),
    )
    .execute();
}
