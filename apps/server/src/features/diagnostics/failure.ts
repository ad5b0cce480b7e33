import type { DiagnosticFailure } from '@pult/contract';
import { type EndpointErrorCode, isEndpointError } from '../devices/index.ts';
import { ArchiveError } from './archives/index.ts';

/** Why a collection came to nothing. */
export class CollectionFailure extends Error {
  override readonly name = 'CollectionFailure';
  readonly reason: DiagnosticFailure;
  /** The device's own words. */
  readonly detail: string | null;

  constructor(reason: DiagnosticFailure, detail: string | null = null) {
    super(detail ? `${reason}: ${detail}` : reason);
    this.reason = reason;
    this.detail = detail;
  }
}

const ofServices: Partial<Record<EndpointErrorCode, DiagnosticFailure>> = {
  service_unknown: 'not_supported',
  service_timeout: 'stalled',
  // The device has cut its answer, and nothing else.
  service_reset: 'truncated',
  link_closed: 'link_lost',
};

/** Which failure anything thrown is; undefined for a fault of the server's own. */
export function toCollectionFailure(error: unknown): CollectionFailure | undefined {
  if (error instanceof CollectionFailure) return error;
  if (error instanceof ArchiveError) {
    return new CollectionFailure(error.reason === 'disk_full' ? 'disk_full' : 'storage_failed');
  }
  if (!isEndpointError(error)) return undefined;
  const reason = ofServices[error.code];
  return reason
    ? new CollectionFailure(reason)
    : new CollectionFailure('device_failed', error.reason ?? null);
}
