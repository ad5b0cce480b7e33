import type { RecordAuditEvent } from '../../platform/audit.ts';
import { DomainError } from '../../platform/errors.ts';
import type { RateLimiter } from '../../platform/rate-limit.ts';
import type { Provider } from './provider.ts';

/** Throws the error on. */
export type NoteProviderFailure = (provider: Provider, error: unknown, address: string) => Promise<never>;

/** Not for whoever set the provider up to mend: whoever begins a sign-in may come back with a code of their own. */
const ofOneSignIn = ['sign_in_denied', 'code_refused'];

/**
 * What keeps people of an organization from signing in by its provider, for its admins. Once an hour for each reason, as anybody may begin a
 * sign-in.
 */
export function createNoteProviderFailure({
  rateLimiter,
  recordAudit,
}: {
  rateLimiter: Pick<RateLimiter, 'take'>;
  recordAudit: RecordAuditEvent;
}): NoteProviderFailure {
  return async ({ organizationId, name, issuer }, error, address) => {
    const reason = error instanceof DomainError ? (error.reason ?? error.code) : undefined;
    if (organizationId === undefined || reason === undefined || ofOneSignIn.includes(reason)) throw error;
    const key = ['provider failed', organizationId, reason];
    if (await rateLimiter.take({ key, limit: 1, window: 3600 })) {
      const details = { issuer, reason };
      const event = { action: 'sign_in.provider_failed', organizationId, subject: name, address } as const;
      await recordAudit({ ...event, details });
    }
    throw error;
  };
}
