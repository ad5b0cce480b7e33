import type { IncomingMessage } from 'node:http';
import { negotiateLocale } from '@pult/contract';
import type { Clock } from '../../../platform/clock.ts';
import { DomainError } from '../../../platform/errors.ts';
import { isSameOrigin } from '../../../platform/http/origin.ts';
import type { Principal } from '../../../platform/http/principal.ts';
import { hashToken } from '../../../platform/ids.ts';
import { readGuestCookie } from './guest-cookie.ts';
import type { GuestLinksRepository } from './guest-links.repository.ts';

/** A guest at a terminal. */
export type GuestPrincipal = Principal & { readonly isReadOnly: boolean };

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Who opens a guest's terminal, by the cookie of that one link; from a page of ours. Throws `not_authenticated`. */
export function createGuestLogin(dependencies: {
  repository: Pick<GuestLinksRepository, 'findLogin'>;
  clock: Clock;
  publicUrl: string;
}): (request: Pick<IncomingMessage, 'url' | 'headers'>) => Promise<GuestPrincipal> {
  const { repository, clock, publicUrl } = dependencies;
  return async ({ url = '', headers }) => {
    if (!isSameOrigin(headers, publicUrl)) throw new DomainError('origin_forbidden');
    const guestId = new URLSearchParams(url.split('?')[1]).get('guest') ?? '';
    const secret = id.test(guestId) ? readGuestCookie(headers.cookie, guestId) : undefined;
    const login = secret && (await repository.findLogin(guestId, hashToken(secret), clock.now()));
    if (!login) throw new DomainError('not_authenticated');
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
