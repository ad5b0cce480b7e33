import { z } from 'zod';
import { limits } from '../limits.ts';
import { deviceLoginScopes, permissionNames } from '../permissions.ts';
import { id, requiredText, secretToken, time } from './text.ts';

export const scopes = z.array(z.enum(permissionNames)).min(1).max(permissionNames.length);

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

/** What a program of a computer asks for that logs in by a code, which a person types in the console (RFC 8628). */
export const deviceScopes = z
  .array(z.enum(deviceLoginScopes))
  .min(1)
  .max(deviceLoginScopes.length)
  .transform((names) => permissionNames.filter((name) => names.includes(name)));
export const startDeviceLoginRequest = z.strictObject({
  /** Of the computer. It is shown to whoever types the code, so it is a name and can be nothing else. */
  hostName: z
    .string()
    .max(limits.hostNameLength)
    .regex(/^[A-Za-z0-9_.-]*$/)
    .default(''),
  scopes: deviceScopes,
});
/** Seconds where it says how long. */
export const startedDeviceLogin = z.object({
  /** By which the program asks whether it is let in. */
  deviceCode: z.string(),
  /** For people to type, such as `WDJB-MJHT`. */
  userCode: z.string(),
  /** Where they type it: there is no address that has the code in it. */
  verificationUri: z.string(),
  expiresIn: z.number(),
  interval: z.number(),
});
export const pollDeviceLoginRequest = z.strictObject({ deviceCode: secretToken });
export const deviceLoginToken = z.object({
  token: z.string(),
  name: z.string(),
  scopes,
  expiresAt: time,
  /** Who has let it in. */
  email: z.string(),
});

/** As people type it: small letters, hyphens and blanks do not matter. */
const userCode = requiredText(limits.userCodeLength * 4).transform((value) =>
  value.replace(/[\s-]/g, '').toUpperCase(),
);
export const deviceLoginCodeRequest = z.strictObject({ userCode });
export const approveDeviceLoginRequest = z.strictObject({ userCode, scopes: deviceScopes });
/** Who asks, before anybody lets it in. */
export const deviceLogin = z.object({
  /** As the program says; empty where it says none. */
  hostName: z.string(),
  /** From where the program asks, and from where this page does. */
  address: z.string(),
  ownAddress: z.string(),
  isSameNetwork: z.boolean(),
  scopes,
  createdAt: time,
  expiresAt: time,
});
export type DeviceLogin = z.infer<typeof deviceLogin>;
