import { sql } from 'kysely';

/** A mark of the password of `users`: what was opened before it changed is told by it. */
export const passwordMark = sql<string>`encode(sha256(convert_to(users.password_hash, 'UTF8')), 'hex')`;
