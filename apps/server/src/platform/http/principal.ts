import type { Locale } from '@pult/contract';

/** Who acts, however that was proven. */
export type Actor = Pick<Principal, 'userId' | 'mayEnterTotpOrganizations'>;

/** Who makes a request, as proven by a live session. */
export interface Principal {
  readonly userId: string;
  readonly sessionId: string;
  readonly email: string;
  readonly locale: Locale;
  /** The user has TOTP. */
  readonly hasTotp: boolean;
  /** Of the installation: see Route.access. */
  readonly isAdministrator: boolean;
  /** False for a user without TOTP where the installation knows it: organizations that require it are closed. */
  readonly mayEnterTotpOrganizations: boolean;
  /** The session's absolute end. */
  readonly sessionExpiresAt: Date;
}
