import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeTempDir } from '@pult/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CliError } from './cli-error.ts';
import { findLogin, forgetLogin, readOrigin, saveLogin } from './login-store.ts';

let folder: Awaited<ReturnType<typeof makeTempDir>>;
let env: Record<string, string>;
const token = 'pult_pat_first';
const server = 'https://pult.example.com';

beforeAll(async () => {
  folder = await makeTempDir('login-store');
  env = { XDG_CONFIG_HOME: join(folder.path, 'config') };
});
afterAll(() => folder.remove());

const failureOf = (deed: () => unknown) => {
  try {
    return deed();
  } catch (error) {
    return error instanceof CliError ? error.failure : error;
  }
};

test('a login is stored for its user alone, replaces the one before, and is forgotten', () => {
  expect(failureOf(() => findLogin(env))).toBe('notLoggedIn');
  mkdirSync(join(folder.path, 'config/pult'), { recursive: true });
  writeFileSync(join(folder.path, 'config/pult/login.json'), 'damaged');
  chmodSync(join(folder.path, 'config/pult/login.json'), 0o666);
  expect(failureOf(() => findLogin(env))).toBe('notLoggedIn');
  const path = saveLogin(env, { server, token });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ server, token });
  expect(readdirSync(join(folder.path, 'config/pult'))).toEqual(['login.json']);
  expect(findLogin(env)).toEqual({ server, token });
  forgetLogin(env);
  expect(failureOf(() => findLogin(env))).toBe('notLoggedIn');
  forgetLogin(env);
});

test('the environment wins, and a stored token goes to no other server than its own', () => {
  saveLogin(env, { server, token });
  const other = 'https://other.example.com';
  expect(failureOf(() => findLogin({ ...env, PULT_SERVER: other }))).toBe('notLoggedIn');
  expect(findLogin({ ...env, PULT_SERVER: other, PULT_TOKEN: 'second\n' })).toEqual({
    server: other,
    token: 'second',
  });
  expect(findLogin({ ...env, PULT_TOKEN: 'second' })).toEqual({ server, token: 'second' });
  expect(findLogin({ ...env, PULT_SERVER: `${server}/organizations` })).toEqual({ server, token });
  expect(failureOf(() => findLogin({ ...env, PULT_TOKEN: 'two words\r\nx: y' }))).toBe('usage');
});

test('an address of a server is its origin, and what is none is not repeated', () => {
  expect(readOrigin('https://Pult.example.com:443/organizations?x=1')).toBe(server);
  for (const text of ['pult_pat_secret', 'ftp://pult.example.com', 'https://a:secret@pult.example.com', '']) {
    expect(() => readOrigin(text)).toThrow(/^That is no address of a server, such as \S+\.$/);
  }
});
