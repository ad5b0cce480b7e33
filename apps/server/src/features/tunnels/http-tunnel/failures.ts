import { ServiceError } from '@pult/link';
import { DomainError } from '../../../platform/errors.ts';
import type { WebInterface } from '../web-interface.ts';
import type { TunnelPage } from './pages.ts';

/** A device that leads from plain http to itself by https, for ever: it wants to be spoken to otherwise. */
export class HttpsWanted extends Error {
  override readonly name = 'HttpsWanted';
}

/** Which page tells why a device could not be reached. */
export function pageOfFailure(error: unknown, { port }: WebInterface): { page: TunnelPage; reason: string } {
  const refused = port === null ? 'refused' : 'closed';
  if (error instanceof HttpsWanted) {
    return { page: port === null ? 'httpsWanted' : 'serviceWantsHttps', reason: '' };
  }
  if (error instanceof DomainError) return { page: 'offline', reason: '' };
  if (error instanceof ServiceError) {
    if (error.code === 'link_closed') return { page: 'offline', reason: '' };
    if (error.code === 'service_timeout') return { page: 'timeout', reason: '' };
    if (error.code === 'service_not_allowed') {
      return { page: port === null ? 'notAllowed' : 'portNotAllowed', reason: '' };
    }
    return { page: refused, reason: error.reason ?? '' };
  }
  return { page: refused, reason: '' };
}
