import type { Locale, Permission } from '@pult/contract';

/** Who acts, however that was proven. Without `hasGrants` they are looked for. */
export type Actor = Pick<Principal, 'userId' | 'mayEnterTotpOrganizations' | 'signedInto' | 'closed'> &
  Partial<Pick<Principal, 'hasGrants'>>;

/** The token by which a program acts. */
export interface ActingToken {
  readonly name: string;
  readonly scopes: ReadonlySet<Permission>;
  /** From where alone it is accepted; none means from anywhere. */
  readonly networks: readonly string[];
}

/** Who makes a request, as proven by a live session or by a token, whose `sessionId` is its own. */
export interface Principal {
  readonly userId: string;
  readonly sessionId: string;
  /** The name of a service account. */
  readonly email: string;
  /** Of a service account, the organization that it belongs to. */
  readonly serviceOf?: string | undefined;
  readonly locale: Locale;
  /** The user has TOTP. */
  readonly hasTotp: boolean;
  /** Of the installation: see Route.access. */
  readonly isAdministrator: boolean;
  /** False for a user without TOTP where the installation knows it: organizations that require it are closed. */
  readonly mayEnterTotpOrganizations: boolean;
  /** The session was opened by the provider of this organization, and is good for it alone. */
  readonly signedInto?: string | undefined;
  /** Organizations of the user that take a sign-in by their provider, which this is none of; undefined for none. */
  readonly closed?: readonly string[] | undefined;
  /** Has rights by grants, besides those of roles in organizations: without any, no statement looks for them. */
  readonly hasGrants: boolean;
  /** The session's absolute end. */
  readonly sessionExpiresAt: Date;
  /** Undefined for a person, who has all the rights of the account. */
  readonly token?: ActingToken;
}

/** Whether a token leaves that right to whoever acts; their role is another matter. */
export function isInScope({ token }: Pick<Principal, 'token'>, permission: Permission): boolean {
  return token === undefined || token.scopes.has(permission);
}
