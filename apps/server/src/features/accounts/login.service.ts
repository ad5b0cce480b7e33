import { isEmail, type Locale, lifetimes, type PasskeyProof } from '@pult/contract';
import type { Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId, createSecretToken, hashToken } from '../../platform/ids.ts';
import { createKeyedMutex } from '../../platform/mutex.ts';
import { toNetwork } from '../../platform/network.ts';
import { createTokenBuckets } from '../../platform/token-buckets.ts';
import type { AccessTokens } from './access-tokens.ts';
import type { AccountsRepository } from './accounts.repository.ts';
import type { FirstLoginFile } from './first-login.ts';
import type { KnownDevicesRepository } from './known-devices.repository.ts';
import type { CountedAttempt, LoginAttempt, LoginThrottle } from './login-throttle.ts';
import type { Passkeys } from './passkeys/index.ts';
import { verifyPassword } from './password.ts';
import type { AcceptSecondFactor, SecondFactorProof } from './second-factor.ts';
import { browserLifetime } from './session-cookies.ts';
import type { SessionSignIn, SessionsRepository } from './sessions.repository.ts';
import { nameDevice } from './user-agent.ts';

export interface LoginRequest extends Omit<LoginAttempt, 'address'>, SecondFactorProof {
  visitor: Visitor;
  password: string;
  userAgent: string;
  /** The language of the user's mails from now on; undefined leaves it. */
  locale: Locale | undefined;
}

/** From a passkey alone: whose it is says its id. */
export interface PasskeyLoginRequest extends Pick<LoginRequest, 'visitor' | 'userAgent' | 'locale'> {
  passkey: PasskeyProof;
  /** Of somebody's browser; see LoginAttempt. */
  readBrowserId(email: string): string | undefined;
}

/** A sign-in by a provider, by which an account is entered: with its password once, and without after that. */
export interface ProviderSignIn {
  /** Whose provider it is; undefined for that of the installation. */
  organizationId: string | undefined;
  /** The provider vouches for a second factor: of an account that is linked, its own is not asked for. */
  hasSecondFactor: boolean;
  /** When the session ends; undefined: when every session does. */
  expiresAt: Date | undefined;
  /** What the session rests on, in the transaction that makes it. Throws where there is to be none after all. */
  settle(
    transaction: DatabaseTransaction,
    user: { id: string; email: string; locale: Locale },
    visitor: Visitor,
  ): Promise<SessionSignIn>;
}

export interface Login {
  /** For the Authorization header. */
  access: string;
  /** For the session cookie. */
  sessionToken: string;
  expiresAt: Date;
}

interface Dependencies {
  accounts: AccountsRepository;
  sessions: SessionsRepository;
  knownDevices: KnownDevicesRepository;
  throttle: LoginThrottle;
  acceptSecondFactor: AcceptSecondFactor;
  accessTokens: AccessTokens;
  passkeys: Pick<Passkeys, 'findOwner' | 'uses'>;
  firstLogin: Pick<FirstLoginFile, 'check'>;
}

/** Proofs of passkeys by one network: nobody guesses one, but each costs a signature's verification. */
const proofRate = { burst: 20, perSecond: 1 };

const refusals = [
  'invalid_credentials',
  'login_totp_required',
  'totp_invalid',
  // The credentials were right, which whoever has guessed them learns as well.
  'sign_in_without_rights',
] as const;

type KnownUser = NonNullable<Awaited<ReturnType<AccountsRepository['getUserByEmail']>>>;

/** From a password, and the second factor of those who have one, to a session. */
export function createLoginService({ db, clock, mail }: Core, own: Dependencies) {
  const { accounts, sessions, knownDevices, throttle, accessTokens } = own;

  const mutex = createKeyedMutex();
  const proofs = createTokenBuckets(clock, proofRate);

  async function refuse(
    refusal: DomainError,
    { email, visitor }: Pick<LoginRequest, 'email' | 'visitor'>,
    user: KnownUser | undefined,
  ): Promise<never> {
    // People type passwords into this field too, some with an @ in them.
    const subject = user || isEmail(email) ? email : '';
    const details = { reason: refusal.code };
    await visitor.audit('login.refused', { userId: user?.id, subject, details });
    throw refusal;
  }

  /** The user whose password it is. */
  async function requirePassword(request: LoginRequest, attempt: CountedAttempt): Promise<KnownUser> {
    const user = await accounts.getUserByEmail(request.email);
    let matches: boolean;
    try {
      matches = await verifyPassword(user?.password_hash, request.password);
    } catch (error) {
      await attempt.refund(); // nothing was evaluated
      throw error;
    }
    if (!user) return refuse(new DomainError('invalid_credentials', 'account_unknown'), request, user);
    if (!matches) return refuse(new DomainError('invalid_credentials', 'password_wrong'), request, user);
    return user;
  }

  /** All that a login leaves behind, or nothing of it. The code of its refusal when it is none after all. */
  async function createSession(
    user: KnownUser,
    request: Omit<LoginRequest, 'password'>,
    session: { id: string; token: string },
    provider?: ProviderSignIn & { isVouched: boolean },
  ) {
    const { visitor, userAgent, locale, signedInto } = request;
    const { address } = visitor;
    const now = clock.now();
    const expiresAt = provider?.expiresAt ?? new Date(now.getTime() + lifetimes.sessionAbsolute * 1000);
    await db.transaction().execute(async (transaction) => {
      // Whoever changes the password or turns TOTP on meanwhile ends all sessions: none may come after that.
      if (!(await accounts.admit(transaction, user, locale)))
        throw new DomainError('invalid_credentials', 'changed_meanwhile');
      if (user.totp_secret && !provider?.isVouched) {
        const claimant = { userId: user.id, email: user.email, secret: user.totp_secret };
        const isRight = await own.acceptSecondFactor(transaction, visitor, claimant, request);
        if (!isRight) throw new DomainError('totp_invalid');
      }
      const tokenHash = hashToken(session.token);
      const signIn = provider && {
        ...(await provider.settle(transaction, user, visitor)),
        hasSecondFactor: provider.hasSecondFactor,
      };
      const row = { id: session.id, userId: user.id, signIn, tokenHash, address, createdAt: now, expiresAt };
      await sessions.create(transaction, { ...row, userAgent: userAgent.slice(0, 255) });
      // What an organization's provider has vouched for makes no device known to the account itself.
      const seen = [userAgent, toNetwork(address), ...(signedInto === undefined ? [] : [signedInto])];
      const hash = hashToken(seen.join('\n'));
      const device = await knownDevices.remember(transaction, { userId: user.id, hash, seenAt: now });
      if (!device.isFirstLogin && !device.isKnown && request.browserId === undefined) {
        // In the language of before: whoever comes from a new device may be somebody else.
        const values = { time: now, address, device: nameDevice(userAgent) };
        await mail.send('new-device', user, values, transaction);
      }
      await visitor.audit('login.succeeded', { userId: user.id, subject: user.email }, transaction);
    });
    await own.firstLogin.check();
    return expiresAt;
  }

  /** One guess, counted before it is looked at. Without a password the provider has to stand for it. */
  async function evaluate(
    request: Omit<LoginRequest, 'password'> & { password: string | undefined },
    provider?: ProviderSignIn,
  ): Promise<Login> {
    const { password, code, recoveryCode, passkey } = request;
    const attempt = await throttle.countLogin({ ...request, address: request.visitor.address });
    const user =
      password === undefined && provider
        ? await accounts.getUserByEmail(request.email)
        : await requirePassword({ ...request, password: password ?? '' }, attempt);
    if (!user) throw new DomainError('invalid_credentials', 'account_unknown');
    const hasProof = code !== undefined || recoveryCode !== undefined || passkey !== undefined;
    // Whoever links an account proves all of its own login: the provider vouches for somebody, not yet for them.
    const isVouched = password === undefined && (provider?.hasSecondFactor ?? false);
    if (user.totp_secret && !hasProof && !isVouched) {
      await attempt.refund();
      return refuse(new DomainError('login_totp_required'), request, user);
    }
    const session = { id: createId(), token: createSecretToken() };
    const access = await accessTokens.create({ sessionId: session.id, userId: user.id });
    try {
      const expiresAt = await createSession(user, request, session, provider && { ...provider, isVouched });
      await attempt.succeed();
      return { access, sessionToken: session.token, expiresAt };
    } catch (error) {
      if (error instanceof DomainError && refusals.some((code) => code === error.code))
        return refuse(error, request, user);
      throw error;
    }
  }

  const oneByOne = <T>(request: Omit<LoginRequest, 'password'>, act: () => Promise<T>): Promise<T> => {
    const { email, visitor, browserId, signedInto } = request;
    return mutex.runExclusive([email, signedInto ?? browserId ?? toNetwork(visitor.address)].join('\n'), act);
  };

  return {
    /**
     * Always makes a new session: an id from before the login never becomes a logged-in one. Guesses at one account
     * from one network run one after the other: right ones that come at once are not taken for the fifth wrong one.
     */
    login: (request: LoginRequest, provider?: ProviderSignIn): Promise<Login> =>
      oneByOne(request, () => evaluate(request, provider)),

    /** By a provider in place of the password; throws as `login` does. */
    loginByProvider(request: Omit<LoginRequest, 'password'>, provider: ProviderSignIn): Promise<Login> {
      const { organizationId: signedInto } = provider;
      const asked = signedInto === undefined ? request : { ...request, signedInto, browserId: undefined };
      return oneByOne(asked, () => evaluate({ ...asked, password: undefined }, provider));
    },

    async loginByPasskey(request: PasskeyLoginRequest): Promise<Login & { email: string }> {
      const { passkey, visitor, readBrowserId } = request;
      if (own.passkeys.uses !== 'login') throw new DomainError('passkeys_unavailable', 'not_for_login');
      const refused = proofs.take(toNetwork(visitor.address));
      if (refused)
        throw new DomainError('too_many_attempts', 'passkey proofs', { seconds: refused.waitSeconds });
      const email = await own.passkeys.findOwner(Buffer.from(passkey.id, 'base64url'));
      const user = email === undefined ? undefined : await accounts.getUserByEmail(email);
      // Passkeys go with TOTP.
      if (!user?.totp_secret) {
        const refusal = new DomainError('invalid_credentials', 'passkey_unknown');
        return refuse(refusal, { email: '', visitor }, undefined);
      }
      const attempt = { ...request, email: user.email, browserId: readBrowserId(user.email) };
      const session = { id: createId(), token: createSecretToken() };
      const access = await accessTokens.create({ sessionId: session.id, userId: user.id });
      try {
        const expiresAt = await createSession(user, { ...attempt, isPasskeyAlone: true }, session);
        return { access, sessionToken: session.token, expiresAt, email: user.email };
      } catch (error) {
        if (error instanceof DomainError && error.code === 'totp_invalid') {
          return refuse(new DomainError('invalid_credentials', 'passkey_refused'), attempt, user);
        }
        throw error;
      }
    },

    /** Those that have not been used as long as a browser's cookie lasts. */
    async deleteForgottenDevices(): Promise<void> {
      await knownDevices.deleteUnseenSince(new Date(clock.now().getTime() - browserLifetime * 1000));
    },
  };
}
export type LoginService = ReturnType<typeof createLoginService>;
