import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { createWorkLimit } from '../../platform/work-limit.ts';

// OWASP's second recommendation for argon2id, the library's default: 19 MiB, two passes. It works off the main thread.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

// Hashing leaves a core, and one of libuv's four threads, to all other calls: access tokens are checked on these threads
// too. It is of the process, not of a server: two servers in one process share both. Past the queue a login is refused
// instead of answered after its browser has given up.
const limit = createWorkLimit({
  parallel: Math.max(1, Math.min(availableParallelism() - 1, 3)),
  waiting: 100,
});

/** Throws `service_unavailable` when too many passwords wait to be hashed or checked. */
export function hashPassword(password: string): Promise<string> {
  return limit(() => hash(password, parameters));
}

let decoy: Promise<string> | undefined;

/** Made outside of the limit: a refusal at a busy moment would be remembered, and tell from then on who has no account. */
function getDecoy(): Promise<string> {
  decoy ??= hash('no account has this hash', parameters);
  return decoy;
}

/**
 * Checks a password against a stored hash. Without one (no such account) it spends the same time and is false,
 * so that timing does not tell whether the account exists. Throws like hashPassword.
 */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  const against = stored ?? (await getDecoy());
  const matches = await limit(() => verify(against, password));
  return matches && stored !== undefined;
}

// No letters or digits that are mistaken for each other when read off a screen.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** 20 characters, about 99 bits. */
export function createPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
