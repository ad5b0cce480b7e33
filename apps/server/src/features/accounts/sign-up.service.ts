import { lifetimes } from '@pult/contract';
import type { Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError, FieldError } from '../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { toNetwork } from '../../platform/network.ts';
import type { RateLimiter, RequiredLimit } from '../../platform/rate-limit.ts';
import type { AccountsRepository, NewUser } from './accounts.repository.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { requireGoodPassword } from './password-rule.ts';
import type { SignUpRepository } from './sign-up.repository.ts';
import type { SignUpInvites } from './sign-up-invites.ts';

export interface SignUpRequest {
  email: string;
  password: string;
}

interface Dependencies {
  repository: SignUpRepository;
  accounts: AccountsRepository;
  invites: SignUpInvites;
  rateLimiter: RateLimiter;
}

const hour = 3600;

/** Sign-ups of one email that wait for its confirmation: strangers fill nobody's mailbox further than that. */
const mostPending = 20;

/** No limit is of the email alone: a stranger would keep its owner from signing up. */
function signUpLimits(email: string, network: string): RequiredLimit[] {
  return [
    { key: ['sign-up', email, network], limit: 5, window: hour },
    { key: ['sign-ups', network], limit: 20, window: hour },
  ];
}

/** Making one's own account. */
export function createSignUpService(
  { db, clock, config, mail }: Core,
  { repository, accounts, invites, rateLimiter }: Dependencies,
) {
  const limitTo = (limit: number, what: RequiredLimit['key'][0], address: string) =>
    rateLimiter.require([{ key: [what, toNetwork(address)], limit, window: hour }]);

  /** Whatever waits for this email is of no use once it has an account; answers what it was. */
  async function takePending(transaction: DatabaseTransaction, email: string) {
    const pending = await repository.takePending(transaction, email);
    for (const { id } of pending) await mail.purge(id, transaction);
    return pending;
  }

  async function addUser(
    transaction: DatabaseTransaction,
    visitor: Visitor,
    user: NewUser,
  ): Promise<boolean> {
    if (!(await repository.createUser(transaction, user))) return false;
    await visitor.audit('user.created', { userId: user.id, subject: user.email }, transaction);
    return true;
  }

  return {
    /** In the caller's transaction; false when the email has an account. */
    addUser,

    /**
     * The invite's link came to the invited email, which proves whose it is: the account works at once, as a
     * member. Nobody else learns of an existing account here.
     */
    async signUpByInvite(visitor: Visitor, { email, password }: SignUpRequest, token: string): Promise<void> {
      const { locale, address } = visitor;
      // A whole shift may be invited at once and sit behind one address.
      await limitTo(100, 'sign-up by invite', address);
      const invited = await invites.getInvitedEmail(token);
      if (invited === undefined) throw new DomainError('invite_invalid', 'unknown');
      if (invited !== email) throw new FieldError('userEmail', 'email_not_invited');
      if (await accounts.getUserByEmail(email)) throw new FieldError('userEmail', 'email_taken');
      await requireGoodPassword('userPassword', password, email);
      const passwordHash = await hashPassword(password);
      await db.transaction().execute(async (transaction) => {
        const user = { id: createId(), email, passwordHash, locale, createdAt: clock.now() };
        await takePending(transaction, email);
        if (!(await addUser(transaction, visitor, user))) throw new FieldError('userEmail', 'email_taken');
        await invites.accept(transaction, visitor, { token, userId: user.id, email });
      });
    },

    /**
     * Mails a link to confirm the email. An email that has an account gets a mail that says so instead; to the
     * caller both are the same, in what is done and how long it takes.
     */
    async signUp({ locale, address }: Visitor, { email, password }: SignUpRequest): Promise<void> {
      // Without an invite too.
      if (config.settings.isOnPremise) throw new DomainError('signup_by_invite_only');
      await rateLimiter.require(signUpLimits(email, toNetwork(address)));
      await requireGoodPassword('userPassword', password, email);
      const passwordHash = await hashPassword(password);
      const token = createSecretToken();
      const id = createId();
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + lifetimes.signUpConfirmation * 1000);
      const user = await accounts.getUserByEmail(email);
      await db.transaction().execute(async (transaction) => {
        // For a known email too, though nobody learns the token: it counts the mails.
        const signUp = { id, email, passwordHash, locale, tokenHash: hashToken(token), createdAt, expiresAt };
        if (!(await repository.addPending(transaction, signUp, mostPending))) return;
        if (user) return mail.send('sign-up-known', user, { address }, transaction);
        const values = { address, token: { token, id, expiresAt } };
        await mail.send('sign-up', { email, locale }, values, transaction);
      });
    },

    /**
     * Answers the email whose account works from now on. The password shows that who reads the mail is who signed up:
     * otherwise a stranger's sign-up, confirmed in good faith, would be an account to which the stranger has the key.
     */
    async confirm(
      visitor: Visitor,
      { token, password }: { token: string; password: string },
    ): Promise<{ email: string }> {
      await limitTo(60, 'sign-up confirmed', visitor.address);
      const createdAt = clock.now();
      const tokenHash = hashToken(token);
      const signUp = await repository.getPending(tokenHash, createdAt);
      if (!signUp) throw new DomainError('signup_token_invalid', 'unknown');
      const { id, email, password_hash } = signUp;
      await rateLimiter.require([{ key: ['sign-up password', id], limit: 10, window: hour }]);
      if (!(await verifyPassword(password_hash, password)))
        throw new FieldError('password', 'password_wrong');
      await db.transaction().execute(async (transaction) => {
        const waiting = await takePending(transaction, email);
        const pending = waiting.find((each) => each.token_hash.equals(tokenHash));
        if (!pending) throw new DomainError('signup_token_invalid', 'used');
        const { password_hash: passwordHash, locale } = pending;
        const user = { id: createId(), email, passwordHash, locale, createdAt };
        if (!(await addUser(transaction, visitor, user)))
          throw new DomainError('signup_token_invalid', 'email_taken');
      });
      return { email };
    },

    deleteExpired: (): Promise<void> => repository.deleteExpired(clock.now()),
  };
}
export type SignUpService = ReturnType<typeof createSignUpService>;
