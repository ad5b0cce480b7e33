import { DomainError } from '../../platform/errors.ts';
import type { HourlyAudit } from '../../platform/hourly-audit.ts';
import type { Provider } from './provider.ts';

/** Throws the error on. */
export type NoteProviderFailure = (provider: Provider, error: unknown, address: string) => Promise<never>;

/** Not for whoever set the provider up to mend: whoever begins a sign-in may come back with an answer of their own. */
const ofOneSignIn = ['sign_in_denied', 'callback_refused', 'code_refused'];

/** What keeps people of an organization from signing in by its provider, for its admins: anybody may begin a sign-in. */
export function createNoteProviderFailure(audit: HourlyAudit): NoteProviderFailure {
  return async ({ organizationId, name, issuer }, error, address) => {
    const reason = error instanceof DomainError ? (error.reason ?? error.code) : undefined;
    if (organizationId !== undefined && reason !== undefined && !ofOneSignIn.includes(reason)) {
      const details = { issuer, reason };
      const event = { action: 'sign_in.provider_failed', organizationId, subject: name, address } as const;
      await audit(['provider failed', organizationId, reason], { ...event, details });
    }
    throw error;
  };
}
