/** An identity provider by which people sign in. */
export interface Provider {
  /** Of an organization; undefined for that of the installation. */
  organizationId: string | undefined;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Besides `openid`, with spaces between them. */
  scopes: string;
  groupsClaim: string;
  secondFactorAcr: readonly string[];
  /** An account is linked by a verified email alone. */
  trustsEmail: boolean;
  /** The domains whose emails get an account; undefined: nobody gets one. */
  newAccounts?: 'all' | readonly string[] | undefined;
}

/** Whether an email that the provider vouches for gets an account. */
export function makesAccount({ newAccounts }: Provider, email: string): boolean {
  return newAccounts === 'all' || (newAccounts?.includes(email.slice(email.lastIndexOf('@') + 1)) ?? false);
}

/** As addresses name it. */
export const providerId = (organizationId: string | undefined): string => organizationId ?? 'installation';

/** What a provider says of somebody who has signed in. */
export interface ProviderClaims {
  issuer: string;
  subject: string;
  /** Lower-cased. */
  email: string | null;
  isEmailVerified: boolean;
  groups: string[];
  hasSecondFactor: boolean;
}
