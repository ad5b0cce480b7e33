import { z } from 'zod';
import { limits } from '../limits.ts';
import { permissionNames } from '../permissions.ts';
import { id, requiredText, time } from './text.ts';

const scopes = z.array(z.enum(permissionNames)).min(1).max(permissionNames.length);

export const createTokenRequest = z.strictObject({
  name: requiredText(limits.tokenNameLength),
  /** Names of permissions. The token may do what they name as far as its owner may at that moment. */
  scopes: scopes.transform((names) => permissionNames.filter((name) => names.includes(name))),
  /** A year from now at most; null for none. */
  expiresAt: time.nullable().default(null),
  /** From where alone it is accepted: addresses and networks in CIDR form; from anywhere without. */
  networks: z.array(requiredText(limits.networkLength)).max(limits.networksPerToken).default([]),
});

export const accessToken = z.object({
  id,
  name: z.string(),
  /** How it begins, to tell it from others: the token itself is shown once. */
  prefix: z.string(),
  scopes,
  networks: z.array(z.string()),
  createdAt: time,
  expiresAt: time.nullable(),
  /** It is over, and listed for a while. */
  isExpired: z.boolean(),
  /** To a minute. */
  lastUsedAt: time.nullable(),
  lastUsedFrom: z.string().nullable(),
});
export type AccessToken = z.infer<typeof accessToken>;

/** The only answer that has the token. */
export const createdToken = accessToken.extend({ token: z.string() });
export type CreatedToken = z.infer<typeof createdToken>;
