/** What a thread of password.ts does. JavaScript, because a thread is started from a file and not from a bundle's text. */
import { hashSync, verifySync } from '@node-rs/argon2';

/** @param {{ password: string, cost: { memoryCost: number, timeCost: number, parallelism: number } }} task */
export const hash = ({ password, cost }) => hashSync(password, cost);

/** @param {{ hash: string, password: string }} pair */
export const verify = (pair) => verifySync(pair.hash, pair.password);
