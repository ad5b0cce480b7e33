import { defaultLocale, type Locale, lifetimes, limits } from '@pult/contract';
import type { Visitor } from '../../platform/access/index.ts';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import { DomainError } from '../../platform/errors.ts';
import { createId } from '../../platform/ids.ts';
import { noPassword, type ProviderLogins, type ProviderSignIn } from '../accounts/index.ts';
import type { GivenByGroups } from './given-by-groups.ts';
import { holdOrganization } from './held-organizations.repository.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { PendingSignInsRepository } from './pending-sign-ins.repository.ts';
import type { Provider } from './provider.ts';
import type { ProviderAnswer } from './provider-client.ts';
import type { ProvidersRepository } from './providers.repository.ts';
import { encryptRefreshToken } from './refresh-token.ts';

interface Dependencies {
  repository: ProvidersRepository;
  identities: IdentitiesRepository;
  pending: PendingSignInsRepository;
  givenByGroups: GivenByGroups;
  logins: Pick<ProviderLogins, 'addUser'>;
}

/** What a sign-in leaves behind in the database: an account, a link to one, rights by groups, and what its session rests on. */
export function createSignInOutcome(
  { db, clock, encryptor, mail }: Core,
  { repository, identities, pending, givenByGroups, logins }: Dependencies,
) {
  /** Nobody has put another provider in the place of this one, nor does until the transaction ends. */
  async function requireSame(
    transaction: DatabaseTransaction,
    organizationId: string,
    { issuer, clientId }: Provider,
  ): Promise<void> {
    await holdOrganization(transaction, organizationId);
    const provider = await repository.get(organizationId, transaction);
    if (provider?.issuer !== issuer || provider.clientId !== clientId) {
      throw new DomainError('sign_in_expired', 'provider_changed');
    }
  }

  async function recordLink(
    transaction: DatabaseTransaction,
    { name, organizationId }: Provider,
    issuer: string,
    { id: userId, email: subject }: { id: string; email: string },
    visitor: Visitor,
  ): Promise<void> {
    const details = { provider: name, issuer };
    await visitor.audit('identity.linked', { userId, subject, organizationId, details }, transaction);
  }

  /** The id of the identity: of the one that is known, which nobody may have deleted meanwhile, or of one that is linked now. */
  async function linkOrRenew(
    transaction: DatabaseTransaction,
    provider: Provider,
    claims: ProviderAnswer['claims'],
    user: { id: string; email: string; locale: Locale },
    { knownId, visitor }: { knownId: string | undefined; visitor: Visitor },
  ): Promise<string> {
    const { organizationId, name } = provider;
    const userId = user.id;
    if (knownId !== undefined) {
      if (await identities.note(transaction, { id: knownId, userId }, claims)) return knownId;
      throw new DomainError('sign_in_expired', 'identity_deleted');
    }
    const linked = await identities.link(transaction, { id: createId(), userId, organizationId, claims });
    if (linked === 'full') {
      throw new DomainError('identities_limit_reached', { limit: limits.identitiesPerUser });
    }
    // Somebody else's by now, or a second one of this account at the provider.
    if (linked === 'taken') throw new DomainError('identity_taken');
    if (linked.isNew) {
      await recordLink(transaction, provider, claims.issuer, user, visitor);
      const values = { address: visitor.address, time: clock.now(), name };
      await mail.send('identity-linked', user, values, transaction);
    }
    return linked.id;
  }

  /**
   * What is written down with the session, all in one transaction with it. `knownId`: of the identity by which the account was
   * found; without it the account has proven itself.
   */
  function settling(
    signIn: { id: string },
    provider: Provider,
    { claims, refreshToken }: ProviderAnswer,
    knownId: string | undefined,
  ): ProviderSignIn {
    const { organizationId } = provider;
    const now = clock.now();
    return {
      organizationId,
      hasSecondFactor: claims.hasSecondFactor,
      // Nobody could be asked again: OpenID Connect has no other way to learn that somebody is gone.
      expiresAt:
        refreshToken === undefined ? new Date(now.getTime() + lifetimes.signInCheck * 1000) : undefined,
      async settle(transaction, user, visitor) {
        if (!(await pending.consume(transaction, signIn.id)))
          throw new DomainError('sign_in_expired', 'used');
        if (organizationId !== undefined) await requireSame(transaction, organizationId, provider);
        const identityId = await linkOrRenew(transaction, provider, claims, user, { knownId, visitor });
        const { address } = visitor;
        await givenByGroups.apply(transaction, { identityId }, { address, provider });
        if (
          organizationId !== undefined &&
          !(await repository.hasRights(transaction, organizationId, user.id))
        ) {
          throw new DomainError('sign_in_without_rights');
        }
        return {
          identityId,
          refreshToken:
            refreshToken === undefined ? null : encryptRefreshToken(encryptor, identityId, refreshToken),
        };
      },
    };
  }

  /**
   * An account for whom the provider of the installation vouches, linked with it at once: it has no password. The id of
   * the identity; undefined where the email has an account by now.
   */
  async function createAccount(
    provider: Provider,
    email: string,
    claims: ProviderAnswer['claims'],
    { visitor, locale = defaultLocale }: { visitor: Visitor; locale: Locale | undefined },
  ): Promise<string | undefined> {
    const user = { id: createId(), email, passwordHash: noPassword, locale, createdAt: clock.now() };
    return db.transaction().execute(async (transaction) => {
      if (!(await logins.addUser(transaction, visitor, user))) return undefined;
      const link = { id: createId(), userId: user.id, organizationId: undefined, claims };
      const linked = await identities.link(transaction, link);
      if (typeof linked === 'string') throw new DomainError('sign_in_expired', 'linked_meanwhile');
      await recordLink(transaction, provider, claims.issuer, user, visitor);
      return linked.id;
    });
  }

  return { settling, createAccount };
}
export type SignInOutcome = ReturnType<typeof createSignInOutcome>;
