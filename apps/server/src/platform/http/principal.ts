import type { Locale } from '@pult/contract';

/** Who acts, however that was proven. Without `hasGrants` they are looked for. */
export type Actor = Pick<Principal, 'userId' | 'serviceAccountId' | 'mayEnterTotpOrganizations'> &
  Partial<Pick<Principal, 'hasGrants'>>;

/** Who makes a request, as proven by a live session. */
export interface Principal {
  readonly userId: string;
  /** Of a service account: its rights are its grants alone, whoever `userId` is. */
  readonly serviceAccountId?: string | undefined;
  readonly sessionId: string;
  readonly email: string;
  readonly locale: Locale;
  /** The user has TOTP. */
  readonly hasTotp: boolean;
  /** Of the installation: see Route.access. */
  readonly isAdministrator: boolean;
  /** False for a user without TOTP where the installation knows it: organizations that require it are closed. */
  readonly mayEnterTotpOrganizations: boolean;
  /** Has rights by grants, besides those of roles in organizations: without any, no statement looks for them. */
  readonly hasGrants: boolean;
  /** The session's absolute end. */
  readonly sessionExpiresAt: Date;
}
