/** What a thread of password.ts does. JavaScript, because a thread is started from a file and not from a bundle's text. */
import { hashSync, verifySync } from '@node-rs/argon2';

// OWASP's second recommendation for argon2id, the library's default: 19 MiB, two passes.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** @param {string} password */
export const hash = (password) => hashSync(password, parameters);

/** @param {{ hash: string, password: string }} pair */
export const verify = (pair) => verifySync(pair.hash, pair.password);
