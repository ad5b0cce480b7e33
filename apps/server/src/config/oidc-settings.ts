import { isOwnMachine } from '../platform/network.ts';
import type { Environment } from './environment.ts';

/** Identity providers, as far as they are settings of the server. */
export interface OidcSettings {
  /** That of the installation; without it people log in by password. */
  readonly provider?: {
    readonly name: string;
    readonly issuer: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly scopes: string;
    readonly groupsClaim: string;
    readonly secondFactorAcr: readonly string[];
    /** An account is linked by a verified email alone. */
    readonly trustsEmail: boolean;
    /** The domains whose emails get an account; undefined: nobody gets one. */
    readonly newAccounts: 'all' | readonly string[] | undefined;
  };
  /** Organizations where groups of the installation's provider give rights to people who do not belong there yet. */
  readonly groupsFor: readonly string[];
  /** Those of organizations may be at private and local addresses. */
  readonly allowsPrivate: boolean;
}

export function readOidcSettings(env: Environment): OidcSettings {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const shared = { groupsFor: env.OIDC_GROUPS_FOR ?? [], allowsPrivate: env.OIDC_PRIVATE };
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return shared;
  const provider: OidcSettings['provider'] = {
    name: env.OIDC_NAME ?? new URL(issuer).hostname,
    issuer,
    clientId,
    clientSecret,
    scopes: env.OIDC_SCOPES,
    groupsClaim: env.OIDC_GROUPS_CLAIM,
    secondFactorAcr: env.OIDC_SECOND_FACTOR_ACR?.split(/\s+/).filter((value) => value !== '') ?? [],
    trustsEmail: env.OIDC_TRUST_EMAIL,
    newAccounts: env.OIDC_NEW_ACCOUNTS === false ? undefined : (env.OIDC_EMAIL_DOMAINS ?? 'all'),
  };
  return { provider, ...shared };
}

/** Whether a browser comes back to this address from a provider without anybody between them reading along. */
export function isSafeForSignIn(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || isOwnMachine(hostname);
}

/** Whoever wants a login there has one. */
const publicHosts = ['accounts.google.com', 'appleid.apple.com', 'gitlab.com', 'www.linkedin.com'];

/** What of the variables does not go together. */
export function findOidcContradictions(env: Environment): string[] {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = env;
  const problems: string[] = [];
  const given = [issuer, clientId, clientSecret].filter((value) => value !== undefined);
  if (given.length > 0 && given.length < 3) {
    problems.push('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together.');
  }
  if (issuer === undefined) return problems;
  const { protocol, hostname } = new URL(issuer);
  if (protocol === 'http:' && !isOwnMachine(hostname)) {
    problems.push('OIDC_ISSUER must begin with https://, but for a provider on this machine.');
  }
  if (env.PUBLIC_URL !== undefined && !isSafeForSignIn(env.PUBLIC_URL)) {
    problems.push('OIDC_ISSUER needs a PUBLIC_URL that begins with https://, or is localhost.');
  }
  const { OIDC_NEW_ACCOUNTS: newAccounts, OIDC_EMAIL_DOMAINS: emailDomains } = env;
  if (newAccounts === false && emailDomains !== undefined) {
    problems.push('OIDC_EMAIL_DOMAINS is about new accounts, which OIDC_NEW_ACCOUNTS turns off.');
  }
  if (newAccounts === undefined && emailDomains === undefined && publicHosts.includes(hostname)) {
    problems.push(
      'OIDC_ISSUER gives anybody a login: set OIDC_EMAIL_DOMAINS, or OIDC_NEW_ACCOUNTS to true or false.',
    );
  }
  return problems;
}
