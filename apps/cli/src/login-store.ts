import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CliError } from './cli-error.ts';
import type { Env } from './env.ts';

export interface Login {
  /** The origin of the server. */
  server: string;
  token: string;
}

/** Where what is kept for this user is. */
export function folderOf(env: Env): string {
  return join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'pult');
}

const fileOf = (env: Env) => join(folderOf(env), 'login.json');

/** `https://pult.example.com`, whatever page of it was given. */
export function readOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  if (!url || !isWeb || url.username !== '' || url.password !== '') {
    // Not repeated: it may be a token in the wrong place, or hold a password.
    throw new CliError('usage', 'That is no address of a server, such as https://pult.example.com.');
  }
  return url.origin;
}

/** For this user alone, and never half written. */
export function saveLogin(env: Env, login: Login): string {
  const path = fileOf(env);
  mkdirSync(folderOf(env), { recursive: true, mode: 0o700 });
  const fresh = `${path}.${randomBytes(6).toString('hex')}`;
  writeFileSync(fresh, `${JSON.stringify(login, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(fresh, path);
  return path;
}

/** Answers where it was. */
export function forgetLogin(env: Env): string {
  const path = fileOf(env);
  rmSync(path, { force: true });
  return path;
}

function readStored(env: Env): Partial<Login> {
  try {
    const stored: unknown = JSON.parse(readFileSync(fileOf(env), 'utf8'));
    if (typeof stored !== 'object' || stored === null || !('server' in stored && 'token' in stored))
      return {};
    const { server, token } = stored;
    return typeof server === 'string' && typeof token === 'string' ? { server, token } : {};
  } catch {
    return {};
  }
}

/** Who asks which server. PULT_SERVER and PULT_TOKEN win; a stored token goes to the server that it is of, and to no other. */
export function findLogin(env: Env): Login {
  const stored = readStored(env);
  const server = env.PULT_SERVER ? readOrigin(env.PULT_SERVER) : stored.server;
  if (!server) throw new CliError('notLoggedIn', 'Log in first: pult login https://pult.example.com');
  const token = env.PULT_TOKEN?.trim() || (server === stored.server ? stored.token : undefined);
  if (!token) throw new CliError('notLoggedIn', `There is no token for ${server}: pult login ${server}`);
  return { server, token: requireToken(token) };
}

/** What a header can carry. */
export function requireToken(token: string): string {
  if (!/^[\x21-\x7e]{1,500}$/.test(token)) throw new CliError('usage', 'The token is empty, or no token.');
  return token;
}
