import { lifetimes, type Permission } from '@pult/contract';
import { DomainError, FieldError } from '../../../platform/errors.ts';
import type { ActingToken } from '../../../platform/http/principal.ts';
import { isInNetworks, readNetwork } from '../../../platform/network.ts';

/** What is asked for. */
export interface TokenWish {
  name: string;
  scopes: readonly Permission[];
  expiresAt: string | null;
  networks: readonly string[];
}

/** What a wish comes to. */
export interface TokenPlan {
  name: string;
  scopes: readonly Permission[];
  networks: readonly string[];
  expiresAt: Date;
}

/** The end of a token without one: every look at it is a comparison of times. */
export const noEnd = new Date('9999-12-31T00:00:00.000Z');

function readEnd(expiresAt: string | null, now: Date): Date {
  if (expiresAt === null) return noEnd;
  const end = new Date(expiresAt);
  const longest = now.getTime() + lifetimes.token * 1000;
  if (end <= now || end.getTime() > longest) throw new FieldError('expiresAt', 'token_end');
  return end;
}

function readNetworks(texts: readonly string[]): string[] {
  const networks = texts.map((text) => {
    const network = readNetwork(text);
    if (network === undefined) throw new FieldError('networks', 'network_invalid');
    return network;
  });
  return [...new Set(networks)];
}

/** Throws where a token, which may make tokens, wants one that is stronger than itself. */
export function readTokenWish(
  { token, sessionExpiresAt }: { token?: ActingToken | undefined; sessionExpiresAt: Date },
  wish: TokenWish,
  now: Date,
): TokenPlan {
  const expiresAt = readEnd(wish.expiresAt, now);
  const networks = readNetworks(wish.networks);
  const { name, scopes } = wish;
  if (!token) return { name, scopes, expiresAt, networks };
  const isNarrower =
    token.networks.length === 0 ||
    (networks.length > 0 && networks.every((network) => isInNetworks(network, token.networks)));
  const isWeaker = scopes.every((scope) => token.scopes.has(scope));
  if (!isNarrower || !isWeaker || expiresAt > sessionExpiresAt) throw new DomainError('token_too_strong');
  return { name, scopes, expiresAt, networks };
}
