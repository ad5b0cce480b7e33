import { lifetimes } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Encryptor } from '../../platform/encryptor.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Providers } from './find-provider.ts';
import type { GivenByGroups } from './given-by-groups.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { ProviderClient } from './provider-client.ts';
import { decryptRefreshToken, encryptRefreshToken } from './refresh-token.ts';
import type { DueSession, SignInChecksRepository } from './sign-in-checks.repository.ts';

/** Seconds: asked for the first time after half of the time that an answer counts, and then again and again. */
const askAfter = lifetimes.signInCheck / 2;
const atOnce = 8;
const perLook = 2000;

/**
 * Asks providers whether the sign-ins still hold that sessions rest on. Who is gone there is gone here within an hour, and so
 * is everybody while a provider does not answer for so long: sessions end by themselves where no answer moves them on.
 */
export function createSignInChecks(dependencies: {
  db: Database;
  repository: SignInChecksRepository;
  identities: IdentitiesRepository;
  providers: Providers;
  client: ProviderClient;
  givenByGroups: GivenByGroups;
  encryptor: Encryptor;
  events: Events;
  clock: Clock;
}) {
  const { db, repository, identities, providers, client, encryptor, events, clock } = dependencies;

  async function end({ id }: DueSession): Promise<void> {
    await repository.end(id);
    events.publish('accessEnded', { sessionId: id });
  }

  async function check(session: DueSession): Promise<void> {
    const { identityId, issuer, subject, userId } = session;
    const provider = await providers.find(session.organizationId ?? undefined);
    const refreshToken = decryptRefreshToken(encryptor, identityId, session.refreshToken);
    if (!provider || provider.issuer !== issuer || refreshToken === undefined) return end(session);
    let confirmed: Awaited<ReturnType<ProviderClient['check']>>;
    try {
      confirmed = await client.check(provider, { refreshToken, issuer, subject });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return;
    }
    if (!confirmed) return end(session);
    const { claims, refreshToken: next } = confirmed;
    const at = clock.now();
    const changed = await db.transaction().execute(async (transaction) => {
      const encrypted = encryptRefreshToken(encryptor, identityId, next);
      await repository.confirm(transaction, session.id, { refreshToken: encrypted, at });
      await identities.note(transaction, identityId, claims);
      return dependencies.givenByGroups.apply(
        transaction,
        { identityId },
        { address: session.address, provider },
      );
    });
    if (changed.some(({ isGone }) => isGone)) events.publish('accessEnded', { userId });
  }

  return {
    async run(): Promise<void> {
      const now = clock.now();
      const due = await repository.listDue(new Date(now.getTime() - askAfter * 1000), now, perLook);
      const left = due[Symbol.iterator]();
      // Each takes the next one when it is done: a provider that is slow holds up few others.
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (const session of left) await check(session);
        }),
      );
    },
  };
}
