/** What `npm start` and `npm run demo` say of a password: it is no matter for a file or a journal that their output goes to. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The email and the password that the server has made for its first administrator; undefined once they have logged in.
 * @param {{ dataDir: string }} settings
 * @returns {{ email: string, password: string, path: string } | undefined}
 */
export function readFirstLogin({ dataDir }) {
  const path = join(dataDir, 'first-login');
  try {
    const text = readFileSync(path, 'utf8');
    const [, email, password] = /^Email: (.+)\nPassword: (.+)\n$/.exec(text) ?? [];
    return email && password ? { email, password, path } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The password on a terminal, otherwise where it is.
 * @param {{ password: string, path: string }} login
 * @param {{ isTTY?: boolean }} [output]
 */
export function describePassword({ password, path }, output = process.stdout) {
  return output.isTTY ? password : `in ${path}`;
}
