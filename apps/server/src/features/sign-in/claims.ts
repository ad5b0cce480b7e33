import { emailPattern, normalizeEmail } from '@pult/contract';
import { z } from 'zod';
import type { Provider, ProviderClaims } from './provider.ts';

const mostGroups = 1000;
const longest = 255;

// NUL is refused by PostgreSQL itself.
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longest && !value.includes('\u0000');
// As everywhere, but first that others do not become these: the Kelvin sign is a k in lower case. In a domain it is by IDNA too.
const email = z
  .string()
  .max(254)
  .trim()
  .regex(/^[!-?A-~]*@[^@]*$/)
  .transform(normalizeEmail)
  .pipe(z.email({ pattern: emailPattern }).max(254));

/** RFC 8176: what somebody knows, and what they have. */
const known = ['pwd', 'pin', 'kba'];
const had = ['otp', 'hwk', 'swk', 'sc', 'sms', 'tel', 'pop', 'face', 'fpt', 'iris', 'vbm'];

function hasSecondFactor(claims: Readonly<Record<string, unknown>>, acrValues: readonly string[]): boolean {
  const { amr, acr } = claims;
  if (typeof acr === 'string' && acrValues.includes(acr)) return true;
  const methods: unknown[] = Array.isArray(amr) ? amr : [];
  if (methods.includes('mfa')) return true;
  return known.some((method) => methods.includes(method)) && had.some((method) => methods.includes(method));
}

function readGroups(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  // Cut before anything is looked at: a megabyte holds half a million of them.
  const groups = values.slice(0, mostGroups).filter(isText);
  return [...new Set(groups)].sort();
}

/**
 * The claims of an ID token, completed by those of userinfo, as far as they are believed: names of groups and addresses are a
 * stranger's texts. Throws for a subject that is none. A second factor is the ID token's alone to tell: OpenID Connect Core 1.0, section 2.
 */
export function readClaims(
  { groupsClaim, secondFactorAcr }: Pick<Provider, 'groupsClaim' | 'secondFactorAcr'>,
  idToken: Readonly<Record<string, unknown>> & { iss: string; sub: string },
  userInfo: Readonly<Record<string, unknown>> = {},
): ProviderClaims {
  if (!isText(idToken.sub)) throw new Error('no subject');
  const claims: Readonly<Record<string, unknown>> = { ...idToken, ...userInfo };
  // Of one of them: what vouches for an email says nothing of another one's.
  const sources = [userInfo, idToken].filter((source) => source.email !== undefined);
  const said = sources.find((source) => source.email_verified !== undefined) ?? sources[0];
  const address = email.safeParse(said?.email).data ?? null;
  return {
    issuer: idToken.iss,
    // At most 255 characters: section 2 as well.
    subject: idToken.sub,
    email: address,
    isEmailVerified: address !== null && said?.email_verified === true,
    groups: readGroups(Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : undefined),
    hasSecondFactor: hasSecondFactor(idToken, secondFactorAcr),
  };
}
