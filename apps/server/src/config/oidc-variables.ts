import { address, emailDomains, ids, secret, text, yesOrNo } from './value-types.ts';

/** See variables.ts; docs/sign-in.md tells of them. */
export const oidcVariables = {
  OIDC_ISSUER: {
    type: address(['https', 'http'], 'https://id.example.com/realms/main'),
    unset: 'people log in by password',
    description:
      'Identity provider (OpenID Connect) by which everybody may sign in; needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET; see docs/sign-in.md',
  },
  OIDC_CLIENT_ID: { type: text(500), unset: 'none', description: 'This server’s name at OIDC_ISSUER' },
  OIDC_CLIENT_SECRET: { type: secret(8, 2000), unset: 'none', description: 'Secret of OIDC_CLIENT_ID' },
  OIDC_NAME: {
    type: text(60),
    unset: 'host of OIDC_ISSUER',
    description: 'Name of the provider on the button of the login page',
  },
  OIDC_SCOPES: {
    type: text(500),
    default: 'profile email',
    description: 'Scopes that are asked for besides openid, with spaces between them',
  },
  OIDC_GROUPS_CLAIM: {
    type: text(255),
    default: 'groups',
    description: 'Claim in which the provider tells the groups of somebody',
  },
  OIDC_SECOND_FACTOR_ACR: {
    type: text(1000),
    unset: 'the claim amr alone tells of a second factor',
    description: 'Values of the claim acr that stand for a second factor, with spaces between them',
  },
  OIDC_TRUST_EMAIL: {
    type: yesOrNo,
    default: 'false',
    description:
      'Whether an account is linked to a login at OIDC_ISSUER by its verified email alone, without one proof of its password',
  },
  OIDC_NEW_ACCOUNTS: {
    type: yesOrNo,
    unset: 'true; has to be chosen where anybody gets a login at OIDC_ISSUER, such as at Google',
    description: 'Whether a login at OIDC_ISSUER makes an account for somebody who has none',
  },
  OIDC_EMAIL_DOMAINS: {
    type: emailDomains,
    unset: 'all',
    description:
      'Domains whose emails alone get new accounts by OIDC_ISSUER, with commas between them, such as example.com,example.org',
  },
  OIDC_GROUPS_FOR: {
    type: ids,
    unset: 'people who belong to the organization already',
    description:
      'Organizations (their ids, with commas between them) in which groups at OIDC_ISSUER give rights to everybody who signs in, without an invite first',
  },
  OIDC_PRIVATE: {
    type: yesOrNo,
    default: 'false',
    description:
      'Whether providers of organizations may be in the server’s own network (private and local addresses)',
  },
} as const;
