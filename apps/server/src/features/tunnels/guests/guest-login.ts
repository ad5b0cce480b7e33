import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { negotiateLocale } from '@pult/contract';
import type { Clock } from '../../../platform/clock.ts';
import { DomainError } from '../../../platform/errors.ts';
import { isSameOrigin } from '../../../platform/http/origin.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { hashToken } from '../../../platform/ids.ts';
import { readGuestCookie } from './guest-cookie.ts';
import type { GuestLinksRepository, GuestLogin } from './guest-links.repository.ts';

/** A guest at a terminal. */
export type GuestPrincipal = Principal & { readonly isReadOnly: boolean };

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whose cookie of this guest it is, sent by a page of ours. */
export type FindGuest = (guestId: string, headers: IncomingHttpHeaders) => Promise<GuestLogin | undefined>;

/** Throws `origin_forbidden` for a foreign page. */
export function createFindGuest(dependencies: {
  repository: Pick<GuestLinksRepository, 'findLogin'>;
  clock: Clock;
  publicUrl: string;
}): FindGuest {
  const { repository, clock, publicUrl } = dependencies;
  return async (guestId, headers) => {
    if (!isSameOrigin(headers, publicUrl)) throw new DomainError('origin_forbidden');
    const secret = id.test(guestId) ? readGuestCookie(headers.cookie, guestId) : undefined;
    return secret === undefined ? undefined : repository.findLogin(guestId, hashToken(secret), clock.now());
  };
}

/** Who opens a guest's terminal; throws `not_authenticated`. */
export function createGuestLogin(findGuest: FindGuest) {
  return async ({ url = '', headers }: Pick<IncomingMessage, 'url' | 'headers'>): Promise<GuestPrincipal> => {
    const guestId = new URLSearchParams(url.split('?')[1]).get('guest') ?? '';
    const login = await findGuest(guestId, headers);
    if (!login) throw new DomainError('not_authenticated', 'guest_over');
    return {
      userId: login.guestId,
      sessionId: login.sessionId,
      email: login.name,
      locale: negotiateLocale(headers['accept-language']),
      hasTotp: false,
      isAdministrator: false,
      mayEnterTotpOrganizations: false,
      hasGrants: false,
      sessionExpiresAt: login.expiresAt,
      isReadOnly: login.isReadOnly,
    };
  };
}
