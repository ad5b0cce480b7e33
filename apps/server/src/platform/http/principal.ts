import type { Locale } from '@pult/contract';

/** Who makes a request, as proven by a live session. */
export interface Principal {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly locale: Locale;
  /** The session's absolute end. */
  readonly sessionExpiresAt: Date;
}
