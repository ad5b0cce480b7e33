import type { Visitor } from '../../platform/access/index.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';

/** What signing up needs of invites; the organizations feature gives it. */
export interface SignUpInvites {
  /** The email that an unused, unexpired invite is for; undefined for any other token. */
  getInvitedEmail(token: string): Promise<string | undefined>;
  /**
   * Makes the new user a member and uses the invite up. Throws `invite_invalid` when it is no longer for this
   * email: whoever comes second finds it used.
   */
  accept(
    transaction: DatabaseTransaction,
    by: Visitor,
    invite: { token: string; userId: string; email: string },
  ): Promise<void>;
}
