import { z } from 'zod';
import { address, email, hostAndPort, oneOf, secret, text } from './value-types.ts';

/** See variables.ts; docs/self-hosting.md tells of them. */
export const acmeVariables = {
  ACME_EMAIL: {
    type: email,
    unset: 'certificates come from files, or there are none',
    description:
      'Turns on certificates by ACME (Let’s Encrypt) and is the contact of the account there; setting it accepts the terms of the authority',
  },
  ACME_DIRECTORY: {
    type: address(['https'], 'https://acme-v02.api.letsencrypt.org/directory'),
    default: 'https://acme-v02.api.letsencrypt.org/directory',
    description: 'Directory address of the authority',
  },
  ACME_CHALLENGE: {
    type: oneOf(['auto', 'http-01', 'tls-alpn-01', 'dns-01']),
    default: 'auto',
    description:
      'How the authority is shown whose the names are; auto takes http-01 with HTTP_PORT, otherwise dns-01 where it is set up, otherwise tls-alpn-01',
  },
  ACME_CA_FILE: {
    type: text(4096),
    unset: 'those that Node.js trusts',
    description: 'Certificates (PEM) by which the address of an authority of your own is trusted',
  },
  ACME_EAB_KID: {
    type: text(256),
    unset: 'the server makes an account of its own',
    description: 'Number of the account that an authority wants to be made before (external account binding)',
  },
  ACME_EAB_HMAC_KEY: {
    type: secret(8, 512),
    unset: 'the server makes an account of its own',
    description: 'Key of ACME_EAB_KID, in base64url, as the authority tells it',
  },
  ACME_DNS_SERVER: {
    type: hostAndPort,
    unset: 'no dns-01 by updates',
    description: 'DNS server that takes updates (RFC 2136) for dns-01, with an optional port',
  },
  ACME_DNS_TSIG_NAME: {
    type: z
      .string()
      .max(253, 'must be 253 characters at most')
      .regex(/^[a-z0-9._-]+$/i, 'must be the name of a key, such as pult.example.com'),
    unset: 'updates are not signed',
    description: 'Name of the TSIG key by which updates are signed',
  },
  ACME_DNS_TSIG_SECRET: {
    type: secret(8, 512),
    unset: 'updates are not signed',
    description: 'Secret of ACME_DNS_TSIG_NAME, in base64',
  },
  ACME_DNS_TSIG_ALGORITHM: {
    type: oneOf(['hmac-sha256', 'hmac-sha384', 'hmac-sha512']),
    default: 'hmac-sha256',
    description: 'Algorithm of ACME_DNS_TSIG_NAME',
  },
  ACME_DNS_HOOK: {
    type: text(4096).refine((path) => path.startsWith('/'), 'must be an absolute path'),
    unset: 'no dns-01 by a program',
    description:
      'Program that makes and removes the record of dns-01; called with add or remove, name and value',
  },
} as const;
