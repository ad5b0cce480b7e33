import { ServiceError } from '@pult/link';
import { DomainError } from '../../../platform/errors.ts';
import type { TunnelPage } from './pages.ts';

/** Which page tells why a device could not be reached. */
export function pageOfFailure(error: unknown): { page: TunnelPage; reason: string } {
  if (error instanceof DomainError) return { page: 'offline', reason: '' };
  if (error instanceof ServiceError) {
    if (error.code === 'link_closed') return { page: 'offline', reason: '' };
    if (error.code === 'service_timeout') return { page: 'timeout', reason: '' };
    return { page: 'refused', reason: error.reason ?? '' };
  }
  return { page: 'refused', reason: '' };
}
