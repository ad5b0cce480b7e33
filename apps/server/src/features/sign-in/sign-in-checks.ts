import { lifetimes } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Providers } from './find-provider.ts';
import type { GivenByGroups } from './given-by-groups.ts';
import type { IdentitiesRepository } from './identities.repository.ts';
import type { ProviderClient } from './provider-client.ts';
import type { NoteProviderFailure } from './provider-failures.ts';
import { decryptRefreshToken, encryptRefreshToken } from './refresh-token.ts';
import type { DueSession, SignInChecksRepository } from './sign-in-checks.repository.ts';

/** Seconds: asked for the first time after half of the time that an answer counts, and then again and again. */
const askAfter = lifetimes.signInCheck / 2;
/** Of one provider; the rest waits for the next look, a minute later. */
const perTurn = 1000;
const atOnce = 2;
/** Seconds after which no more is asked of a provider at this look: one that is slow would hold up the next look at others. */
const turn = 45;
/** So many hold up nobody for long who answer nothing, and leave the server sockets for others. */
const providersAtOnce = 64;

interface Dependencies {
  repository: SignInChecksRepository;
  identities: IdentitiesRepository;
  providers: Providers;
  client: ProviderClient;
  noteFailure: NoteProviderFailure;
  givenByGroups: GivenByGroups;
}

/**
 * Asks providers whether the sign-ins still hold that sessions rest on. Who is gone there is gone here within an hour, and so
 * is everybody while a provider does not answer for so long: sessions end by themselves where no answer moves them on.
 */
export function createSignInChecks(
  { db, encryptor, events, log, clock }: Core,
  { repository, identities, providers, client, noteFailure, givenByGroups }: Dependencies,
) {
  async function end({ id }: DueSession): Promise<void> {
    await repository.end(id);
    events.publish('accessEnded', { sessionId: id });
  }

  /** Throws `provider_unavailable` where the provider does not answer at all. */
  async function check(due: DueSession): Promise<void> {
    // Read one at a time: a stranger's refresh tokens may be long.
    const session = await repository.get(due.id, clock.now());
    if (!session) return;
    const { identityId, issuer, subject, userId } = session;
    const provider = await providers.find(session.organizationId ?? undefined);
    const refreshToken = decryptRefreshToken(encryptor, identityId, session.refreshToken);
    if (!provider || provider.issuer !== issuer || refreshToken === undefined) return end(session);
    const confirmed = await client
      .check(provider, { refreshToken, issuer, subject })
      .catch((error: unknown) => {
        // A refusal may be about this one person; and nobody has come from anywhere.
        if (error instanceof DomainError && error.code !== 'provider_unavailable') throw error;
        return noteFailure(provider, error, '');
      });
    if (!confirmed) return end(session);
    const { claims, refreshToken: next } = confirmed;
    const at = clock.now();
    const changed = await db.transaction().execute(async (transaction) => {
      const encrypted = encryptRefreshToken(encryptor, identityId, next);
      await repository.hold(transaction, identityId);
      // Before the session, as whoever deletes the link takes them.
      if (claims) await identities.note(transaction, { id: identityId, userId }, claims);
      await repository.confirm(transaction, session.id, { refreshToken: encrypted, at });
      // Nothing was said of groups and email: what was said before grows no younger by that.
      if (!claims) return [];
      const by = { address: session.address, provider };
      return givenByGroups.apply(transaction, { identityId }, by);
    });
    if (changed.some(({ isGone }) => isGone)) events.publish('accessEnded', { userId });
  }

  /** Of one provider. One that does not answer is asked no more until the next look. */
  async function ask(due: readonly DueSession[]): Promise<void> {
    const until = clock.now().getTime() + turn * 1000;
    let isDown = false;
    const left = due[Symbol.iterator]();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const session of left) {
          if (isDown || clock.now().getTime() >= until) return;
          try {
            await check(session);
          } catch (error) {
            if (error instanceof DomainError) isDown ||= error.code === 'provider_unavailable';
            else log.error({ err: error, sessionId: session.id }, 'a sign-in was not looked at');
          }
        }
      }),
    );
  }

  return {
    /** Each provider in a queue of its own: what one of them does is no matter of the others. */
    async run(): Promise<void> {
      const now = clock.now();
      const due = await repository.listDue(new Date(now.getTime() - askAfter * 1000), now, perTurn);
      const byProvider = new Map<string | null, DueSession[]>();
      for (const session of due) {
        const queue = byProvider.get(session.organizationId) ?? [];
        queue.push(session);
        byProvider.set(session.organizationId, queue);
      }
      const queues = byProvider.values();
      await Promise.all(
        Array.from({ length: providersAtOnce }, async () => {
          for (const queue of queues) await ask(queue);
        }),
      );
    },
  };
}
