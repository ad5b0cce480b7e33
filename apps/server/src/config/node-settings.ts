import { resolve } from 'node:path';
import { canHaveSubdomains, isOwnMachine } from '../platform/network.ts';
import type { Environment } from './environment.ts';
import { readKey } from './value-types.ts';

/** One of several nodes that are one installation. */
export interface NodeSettings {
  readonly natsUrls: readonly string[];
  /** A file. */
  readonly natsCreds?: string;
  readonly isNatsInsecure: boolean;
  /** Where the other nodes reach this one. */
  readonly address: { readonly host: string; readonly port: number };
  /** Listened on for them, on the host of the address. */
  readonly port: number;
}

/** Where what only this installation knows is kept. */
export interface SecretsSettings {
  /** A file that is only read, instead of that of the data folder. */
  readonly file?: string;
  /** 32 bytes: they are in the database, sealed under it. */
  readonly key?: Buffer;
}

const splitUrls = (urls: string) =>
  urls
    .split(',')
    .map((url) => url.trim())
    .filter(Boolean);

export function readNodeSettings(env: Environment): NodeSettings | undefined {
  if (env.NATS_URL === undefined || env.NODE_ADDRESS === undefined) return undefined;
  const [host = '', port = ''] = env.NODE_ADDRESS.split(':');
  return {
    natsUrls: splitUrls(env.NATS_URL),
    ...(env.NATS_CREDS === undefined ? {} : { natsCreds: resolve(env.NATS_CREDS) }),
    isNatsInsecure: env.NATS_INSECURE,
    address: { host, port: Number(port) },
    port: env.NODE_PORT ?? Number(port),
  };
}

export function readSecretsSettings(env: Environment): SecretsSettings {
  return {
    ...(env.SECRETS_FILE === undefined ? {} : { file: resolve(env.SECRETS_FILE) }),
    ...(env.SECRETS_KEY === undefined ? {} : { key: readKey(env.SECRETS_KEY) }),
  };
}

const nodeNames = ['NATS_CREDS', 'NODE_ADDRESS', 'NODE_PORT'] as const;

/** What the variables of several nodes say against each other and against others, as sentences. */
export function findNodeContradictions(env: Environment): string[] {
  const problems: string[] = [];
  const say = (isSo: boolean, problem: string) => {
    if (isSo) problems.push(problem);
  };
  const isOn = env.NATS_URL !== undefined;
  for (const name of nodeNames) {
    say(env[name] !== undefined && !isOn, `${name} is set, so NATS_URL is needed too.`);
  }
  say(env.NATS_INSECURE && !isOn, 'NATS_INSECURE is set, so NATS_URL is needed too.');
  say(
    env.SECRETS_KEY !== undefined && env.SECRETS_FILE !== undefined,
    'SECRETS_KEY and SECRETS_FILE are both set; the secrets are either in the database or in a file.',
  );
  say(
    env.SECRETS_KEY !== undefined && env.DATABASE_URL === undefined,
    'SECRETS_KEY is set, so DATABASE_URL is needed too: the password of the embedded database is one of the secrets.',
  );
  say(
    env.BACKUP_SCHEDULE !== undefined && (isOn || env.SECRETS_KEY !== undefined),
    'BACKUP_SCHEDULE is set beside NATS_URL or SECRETS_KEY: an external database, with the secrets in it, is backed up by its own tools.',
  );
  if (env.NATS_URL === undefined) return problems;
  say(
    env.DATABASE_URL === undefined,
    'NATS_URL is set, so DATABASE_URL is needed too: the embedded database is of one node alone.',
  );
  say(
    env.NODE_ADDRESS === undefined || !env.NODE_ADDRESS.includes(':'),
    'NATS_URL is set, so NODE_ADDRESS is needed too, with a port, such as 10.0.0.5:7200.',
  );
  say(
    env.NODE_PORT !== undefined && [env.PORT, env.SSH_JUMP_PORT, env.METRICS_PORT].includes(env.NODE_PORT),
    'NODE_PORT is the port of another listener; two cannot share one.',
  );
  say(
    env.SECRETS_KEY === undefined && env.SECRETS_FILE === undefined,
    'NATS_URL is set, so SECRETS_KEY or SECRETS_FILE is needed too: all nodes have the same secrets.',
  );
  say(
    isByPorts(env),
    'NATS_URL is set, so TUNNEL_MODE cannot be ports: a port is of one node alone. TUNNEL_DOMAIN needs a domain name.',
  );
  say(
    env.S3_BUCKET === undefined,
    'NATS_URL is set, so S3_BUCKET is needed too: archives in a folder are of one node alone.',
  );
  say(
    env.NATS_CREDS === undefined && !env.NATS_INSECURE && splitUrls(env.NATS_URL).some(isOpenFarServer),
    'NATS_URL is another machine and has no login: NATS_CREDS gives one; NATS_INSECURE=true goes without.',
  );
  return problems;
}

function isByPorts(env: Environment): boolean {
  if (env.TUNNEL_MODE !== 'auto') return env.TUNNEL_MODE === 'ports';
  const address = env.TUNNEL_DOMAIN === undefined ? env.PUBLIC_URL : `http://${env.TUNNEL_DOMAIN}`;
  return !canHaveSubdomains(new URL(address ?? 'http://localhost').hostname);
}

/** Whoever reaches it may listen, and speak as any node. */
function isOpenFarServer(url: string): boolean {
  const { hostname, username } = new URL(url);
  return username === '' && !isOwnMachine(hostname);
}
