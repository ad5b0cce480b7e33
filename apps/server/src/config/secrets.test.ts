import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { loadSecrets } from './secrets.ts';

let parent: string;
let dir: string;
let file: string;
const log = { warn: vi.fn() };

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'pult-secrets-'));
  dir = join(parent, 'data');
  file = join(dir, 'secrets.json');
  log.warn.mockClear();
});
afterEach(() => rm(parent, { recursive: true }));

const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
const change = async (values: object) =>
  writeFile(file, JSON.stringify({ ...JSON.parse(await readFile(file, 'utf8')), ...values }));

it('makes secrets once, for the owner only', async () => {
  const first = await loadSecrets(dir, log);
  expect(first.activationKey).toHaveLength(32);
  expect(first.encryptionKey).toHaveLength(32);
  expect(first.jwtPrivateKey.asymmetricKeyType).toBe('ed25519');
  expect([await mode(dir), await mode(file)]).toEqual(['700', '600']);
  const second = await loadSecrets(dir, log);
  expect(second.activationKey).toEqual(first.activationKey);
  expect(second.databasePassword).toBe(first.databasePassword);
  expect(second.jwtPrivateKey.equals(first.jwtPrivateKey)).toBe(true);
  expect(await readdir(dir)).toEqual(['secrets.json']);
  expect(log.warn).not.toHaveBeenCalled();
});

it('gives the same secrets to all who start at once', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => loadSecrets(dir, log)));
  expect(new Set(all.map((secrets) => secrets.databasePassword)).size).toBe(1);
});

it('adds a secret that an older version did not have, and keeps unknown ones', async () => {
  const { activationKey } = await loadSecrets(dir, log);
  await change({ encryptionKey: undefined, fromTheFuture: 'kept' });
  const secrets = await loadSecrets(dir, log);
  expect(secrets.encryptionKey).toHaveLength(32);
  expect(secrets.activationKey).toEqual(activationKey);
  expect(await readFile(file, 'utf8')).toContain('"fromTheFuture": "kept"');
});

it('tightens open permissions and says so', async () => {
  await loadSecrets(dir, log);
  await chmod(dir, 0o755);
  await chmod(file, 0o644);
  await loadSecrets(dir, log);
  expect([await mode(dir), await mode(file)]).toEqual(['711', '600']);
  expect(log.warn).toHaveBeenCalledTimes(2);
});

it.each(['', '{"activationKey":', '[]', 'null'])(
  'refuses the broken file %j and leaves it alone',
  async (content) => {
    await loadSecrets(dir, log);
    await writeFile(file, content);
    await expect(loadSecrets(dir, log)).rejects.toThrow(/cannot be used.*secrets\.json/);
    expect(await readFile(file, 'utf8')).toBe(content);
  },
);

it.each([
  { activationKey: 'c2hvcnQ' },
  { encryptionKey: 42 },
  { databasePassword: 'changeme' },
  { jwtPrivateKey: 'SENSITIVE' },
])('refuses %j without showing it', async (values) => {
  await loadSecrets(dir, log);
  await change(values);
  const error = await loadSecrets(dir, log).catch((reason: Error) => reason.message);
  expect(error).toMatch(new RegExp(`${Object.keys(values)[0]} (is too short|is not text|cannot be read)`));
  for (const value of Object.values(values)) expect(error).not.toContain(String(value));
});
