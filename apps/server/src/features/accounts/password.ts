import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash as hashHere } from '@node-rs/argon2';
import { Piscina } from 'piscina';
import { DomainError } from '../../platform/errors.ts';

interface HashingCost {
  /** In KiB. */
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's second recommendation for argon2id, the library's default: 19 MiB, two passes. */
const safeCost: HashingCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Past `maxQueue` a login is refused instead of answered after its browser has given up. */
export function createPasswordHashing({
  maxThreads = Math.max(1, Math.min(availableParallelism() - 1, 3)),
  maxQueue = 100,
  cost = safeCost,
} = {}) {
  // Threads of their own, nicer than all others: libuv's four stay free for access tokens, files and TLS, and whoever logs
  // in waits before anyone else does.
  const threads = new Piscina<unknown, unknown>({
    filename: new URL('./hashing-thread.js', import.meta.url).href,
    minThreads: 0,
    maxThreads,
    maxQueue,
    idleTimeout: 60_000,
    // Of Linux' 19 steps; a tenth of the processor time of a thread that is not nice, where both want it.
    niceIncrement: 10,
  });
  let decoy: Promise<string> | undefined;

  async function run<T>(name: 'hash' | 'verify', task: unknown): Promise<T> {
    if (threads.queueSize >= maxQueue) throw new DomainError('service_unavailable', 'passwords_waiting');
    // hashing-thread.js answers by name.
    return (await threads.run(task, { name })) as T;
  }

  /** Made outside of the queue: a refusal at a busy moment would be remembered, and tell from then on who has no account. */
  function getDecoy(): Promise<string> {
    decoy ??= hashHere('no account has this hash', cost);
    return decoy;
  }

  return {
    /** Throws `service_unavailable` when too many passwords wait to be hashed or checked. */
    hashPassword: (password: string) => run<string>('hash', { password, cost }),

    /**
     * Checks a password against a stored hash. Without one (no such account, or one that has no password) it spends the same
     * time and is false, so that timing does not tell whether the account exists. Throws like hashPassword.
     */
    async verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
      const hash = stored || (await getDecoy());
      const matches = await run<boolean>('verify', { hash, password });
      return matches && Boolean(stored);
    },
  };
}

// Of the process, not of a server: two servers in one process share its threads.
let hashing = createPasswordHashing();

export const hashPassword = (password: string) => hashing.hashPassword(password);
export const verifyPassword = (stored: string | undefined, password: string) =>
  hashing.verifyPassword(stored, password);

/** For tests, which log in thousands of times; what is hashed from now on costs next to nothing, and is worth as much. */
export function hashPasswordsCheaply(): void {
  hashing = createPasswordHashing({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } });
}

/** In place of a hash where there is no password to log in by, until its person sets one: see verifyPassword. */
export const noPassword = '';

// No letters or digits that are mistaken for each other when read off a screen.
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';

/** 20 characters, about 99 bits. */
export function createPassword(): string {
  return Array.from({ length: 20 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
