import { resolve } from 'node:path';
import { canHaveSubdomains } from '../platform/network.ts';
import type { Environment } from './environment.ts';

export type AcmeChallenge = Exclude<Environment['ACME_CHALLENGE'], 'auto'>;

/** How a record of dns-01 is made. */
export type DnsSettings =
  | {
      readonly by: 'update';
      readonly host: string;
      readonly port: number;
      readonly tsig?: {
        readonly name: string;
        readonly secret: Buffer;
        readonly algorithm: Environment['ACME_DNS_TSIG_ALGORITHM'];
      };
    }
  | { readonly by: 'hook'; readonly program: string };

/** An account that the operator has made at the authority by other means. */
export interface ExternalAccount {
  readonly id: string;
  /** In base64url. */
  readonly key: string;
}

/** An authority from which the server gets its certificates itself. */
export interface AcmeSettings {
  readonly email: string;
  readonly directory: string;
  readonly externalAccount?: ExternalAccount;
  /** A file in PEM form. */
  readonly caFile?: string;
  /** For the server's own names; wildcards have dns-01 alone. */
  readonly challenge: AcmeChallenge;
  readonly dns?: DnsSettings;
}

export function readAcmeSettings(env: Environment): AcmeSettings | undefined {
  if (env.ACME_EMAIL === undefined) return undefined;
  const dns = readDnsSettings(env);
  const { ACME_EAB_KID: id, ACME_EAB_HMAC_KEY: key } = env;
  return {
    email: env.ACME_EMAIL,
    directory: env.ACME_DIRECTORY,
    challenge: chooseChallenge(env),
    ...(env.ACME_CA_FILE === undefined ? {} : { caFile: resolve(env.ACME_CA_FILE) }),
    ...(id !== undefined && key !== undefined ? { externalAccount: { id, key } } : {}),
    ...(dns ? { dns } : {}),
  };
}

function chooseChallenge(env: Environment): AcmeChallenge {
  if (env.ACME_CHALLENGE !== 'auto') return env.ACME_CHALLENGE;
  if (env.HTTP_PORT !== undefined) return 'http-01';
  return env.ACME_DNS_SERVER !== undefined || env.ACME_DNS_HOOK !== undefined ? 'dns-01' : 'tls-alpn-01';
}

function readDnsSettings(env: Environment): DnsSettings | undefined {
  if (env.ACME_DNS_HOOK !== undefined) return { by: 'hook', program: env.ACME_DNS_HOOK };
  if (env.ACME_DNS_SERVER === undefined) return undefined;
  const [host = '', port = '53'] = env.ACME_DNS_SERVER.split(':');
  const { ACME_DNS_TSIG_NAME: name, ACME_DNS_TSIG_SECRET: secret } = env;
  const algorithm = env.ACME_DNS_TSIG_ALGORITHM;
  return {
    by: 'update',
    host,
    port: Number(port),
    ...(name !== undefined && secret !== undefined
      ? { tsig: { name, secret: Buffer.from(secret, 'base64'), algorithm } }
      : {}),
  };
}

const acmeNames = [
  'ACME_CA_FILE',
  'ACME_EAB_KID',
  'ACME_EAB_HMAC_KEY',
  'ACME_DNS_SERVER',
  'ACME_DNS_HOOK',
  'ACME_DNS_TSIG_NAME',
  'ACME_DNS_TSIG_SECRET',
] as const;

/** What the variables of ACME say against each other and against others, as sentences. */
export function findAcmeContradictions(env: Environment): string[] {
  const problems: string[] = [];
  const say = (isSo: boolean, problem: string) => {
    if (isSo) problems.push(problem);
  };
  const isOn = env.ACME_EMAIL !== undefined;
  for (const name of acmeNames) {
    say(env[name] !== undefined && !isOn, `${name} is set, so ACME_EMAIL is needed too.`);
  }
  say(
    env.HTTP_PORT !== undefined && !isOn && env.TLS_CERT === undefined,
    'HTTP_PORT is set, so ACME_EMAIL or TLS_CERT is needed too: without TLS there is nothing to redirect to.',
  );
  say(
    env.HTTP_PORT !== undefined && [env.PORT, env.SSH_JUMP_PORT, env.METRICS_PORT].includes(env.HTTP_PORT),
    'HTTP_PORT is the port of another listener; two cannot share one.',
  );
  if (!isOn) return problems;
  say(
    env.TLS_CERT !== undefined,
    'ACME_EMAIL and TLS_CERT are both set; the certificate comes either from the authority or from files.',
  );
  const url = env.PUBLIC_URL === undefined ? undefined : new URL(env.PUBLIC_URL);
  say(
    url?.protocol !== 'https:' || !canHaveSubdomains(url.hostname),
    'ACME_EMAIL is set, so PUBLIC_URL must be an address with https:// and a domain name.',
  );
  say(
    env.ACME_DNS_SERVER !== undefined && env.ACME_DNS_HOOK !== undefined,
    'ACME_DNS_SERVER and ACME_DNS_HOOK are both set; records are made either by updates or by the program.',
  );
  say(
    (env.ACME_DNS_TSIG_NAME === undefined) !== (env.ACME_DNS_TSIG_SECRET === undefined),
    'ACME_DNS_TSIG_NAME and ACME_DNS_TSIG_SECRET are needed together.',
  );
  say(
    (env.ACME_EAB_KID === undefined) !== (env.ACME_EAB_HMAC_KEY === undefined),
    'ACME_EAB_KID and ACME_EAB_HMAC_KEY are needed together.',
  );
  say(
    env.ACME_CHALLENGE === 'http-01' && env.HTTP_PORT === undefined,
    'ACME_CHALLENGE is http-01, so HTTP_PORT is needed too.',
  );
  say(
    env.ACME_CHALLENGE === 'dns-01' && env.ACME_DNS_SERVER === undefined && env.ACME_DNS_HOOK === undefined,
    'ACME_CHALLENGE is dns-01, so ACME_DNS_SERVER or ACME_DNS_HOOK is needed too.',
  );
  return problems;
}
