import { randomInt } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

// OWASP's second recommendation for argon2id, the library's default: 19 MiB, two passes. It works off the main thread.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

export function hashPassword(password: string): Promise<string> {
  return hash(password, parameters);
}

let decoy: Promise<string> | undefined;

/**
 * Checks a password against a stored hash. Without one (no such account) it spends the same time and is false,
 * so that timing does not tell whether the account exists.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this hash');
  const matches = await verify(stored ?? (await decoy), password);
  return matches && stored !== undefined;
}

// No letters or digits that are mistaken for each other when read off a screen.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** 20 characters, about 99 bits. */
export function createPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
