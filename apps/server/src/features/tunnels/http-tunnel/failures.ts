import { DomainError } from '../../../platform/errors.ts';
import {
  isReset,
  UnreadableAnswerError,
  UpstreamTimeoutError,
} from '../../../platform/http/reverse-proxy/upstream-error.ts';
import { isEndpointError } from '../../devices/index.ts';
import type { WebInterface } from './address.ts';
import type { TunnelPage } from './pages.ts';
import { HttpsWanted } from './redirects.ts';

/** Which page tells why a device could not be reached, or what was wrong with its answer. */
export function pageOfFailure(error: unknown, { port }: WebInterface): { page: TunnelPage; reason: string } {
  if (error instanceof HttpsWanted) {
    return { page: port === null ? 'httpsWanted' : 'endpointWantsHttps', reason: '' };
  }
  if (error instanceof UpstreamTimeoutError) return { page: 'timeout', reason: '' };
  if (error instanceof UnreadableAnswerError) return { page: error.fault, reason: '' };
  if (error instanceof DomainError) {
    return { page: error.code === 'node_unreachable' ? 'nodeUnreachable' : 'offline', reason: '' };
  }
  if (isEndpointError(error)) {
    if (error.code === 'link_closed') return { page: 'offline', reason: '' };
    if (error.code === 'service_timeout') return { page: 'timeout', reason: '' };
    if (error.code === 'service_tls_old') return { page: 'tlsTooOld', reason: error.reason ?? '' };
    if (error.code === 'service_tls_failed') {
      return { page: port === null ? 'tlsFailed' : 'portTlsFailed', reason: error.reason ?? '' };
    }
    if (error.code === 'service_not_allowed') {
      return { page: port === null ? 'notAllowed' : 'portNotAllowed', reason: '' };
    }
    if (error.code === 'service_not_forwarded') {
      return { page: port === null ? 'notForwarded' : 'portNotForwarded', reason: '' };
    }
    const { reason = '' } = error;
    if (error.code !== 'service_refused') return { page: 'noAnswer', reason };
    return { page: port === null ? 'refused' : 'closed', reason };
  }
  return { page: isReset(error) ? 'noAnswer' : 'unreadable', reason: '' };
}
