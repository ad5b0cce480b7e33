import { sql } from 'kysely';

/** Changes with the password of `users`, and so tells what was opened before. */
export const credentialVersion = sql<string>`encode(sha256(convert_to(users.password_hash, 'UTF8')), 'hex')`;
