import { createHash, randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type CommandFixture, createCommandFixture } from './cli/command.fixture.ts';
import { commands } from './cli/commands.ts';
import { readSharedSecrets } from './config/secrets.ts';
import { findSecrets, loadSealedSecrets } from './shared-secrets.ts';

let fixture: CommandFixture;
const log = { warn: vi.fn() };
const key = createHash('sha256').update('of this test').digest();
beforeAll(async () => {
  fixture = await createCommandFixture();
});
afterAll(() => fixture.close());
beforeEach(async () => {
  await fixture.begin();
  await fixture.server.db.deleteFrom('sealed_secrets').execute();
  log.warn.mockClear();
});

const dataDir = () => process.env.DATA_DIR ?? '';
const load = (given = key, dir = join(dataDir(), 'none')) =>
  loadSealedSecrets(fixture.server.db, { key: given, dataDir: dir, log });

describe('secrets in the database', () => {
  it('secrets in the database are made once by however many nodes start at a time, and are not there in plain', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => load()));
    expect(new Set(all.map(({ encryptionKey }) => encryptionKey.toString('hex'))).size).toBe(1);
    const later = await load();
    expect(later.jwtPrivateKey.equals(all[0]?.jwtPrivateKey as typeof later.jwtPrivateKey)).toBe(true);
    const { content } = await fixture.server.db
      .selectFrom('sealed_secrets')
      .select('content')
      .executeTakeFirstOrThrow();
    expect(content.includes(later.encryptionKey)).toBe(false);
    expect(content.includes(later.encryptionKey.toString('base64url'))).toBe(false);
  });

  it('another key does not open them, and leaves them as they are', async () => {
    const { encryptionKey } = await load();
    await expect(load(randomBytes(32))).rejects.toThrow(/SECRETS_KEY is not the key/);
    expect((await load()).encryptionKey).toEqual(encryptionKey);
  });

  it('the file of the first node goes into the database, and that of another one is not used, which is said', async () => {
    const first = await load(key, dataDir());
    expect(first.encryptionKey).toEqual(fixture.server.secrets.encryptionKey);
    expect(log.warn).not.toHaveBeenCalled();
    await fixture.server.db.deleteFrom('sealed_secrets').execute();
    const others = await load();
    expect((await load(key, dataDir())).encryptionKey).toEqual(others.encryptionKey);
    expect(log.warn).toHaveBeenCalledOnce();
  });

  it('secrets that are in no file are found by commands, exported for a file and rotated', async () => {
    const { encryptionKey, agentUpdateKey } = await load();
    const settings = { secrets: { key }, data: { dir: dataDir() } };
    const found = await findSecrets(settings, async () => fixture.server.db);
    expect(found?.encryptionKey).toEqual(encryptionKey);
    vi.stubEnv('SECRETS_KEY', key.toString('hex'));
    const path = join(dataDir(), 'exported.json');
    await commands['secrets export']?.run([path]);
    expect((await readSharedSecrets(path)).encryptionKey).toEqual(encryptionKey);
    expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600');
    await expect(commands['secrets export']?.run([path])).rejects.toThrow('is there already');
    await commands['agent-key rotate']?.run([]);
    const rotated = await load();
    expect(rotated.agentUpdateKey.equals(agentUpdateKey)).toBe(false);
    expect(rotated.agentUpdateRotations).toHaveLength(1);
    expect(rotated.encryptionKey).toEqual(encryptionKey);
  });
});

it('pult secrets key prints another key each time, which is taken', async () => {
  await commands['secrets key']?.run([]);
  await commands['secrets key']?.run([]);
  const [first, second] = fixture.printed().trim().split('\n');
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(second).not.toBe(first);
});

describe('a file of secrets for all nodes', () => {
  it('a file of secrets for all nodes is read and not written, and refused where something is missing', async () => {
    const file = join(dataDir(), 'secrets.json');
    const before = await readFile(file, 'utf8');
    expect((await readSharedSecrets(file)).encryptionKey).toEqual(fixture.server.secrets.encryptionKey);
    const { sshHostKey: _, ...rest } = JSON.parse(before) as Record<string, string>;
    const partial = join(dataDir(), 'partial.json');
    await writeFile(partial, JSON.stringify(rest));
    await expect(readSharedSecrets(partial)).rejects.toThrow(/has no sshHostKey/);
    expect(await readFile(partial, 'utf8')).toBe(JSON.stringify(rest));
    await expect(readSharedSecrets(join(dataDir(), 'absent.json'))).rejects.toThrow(/is not there/);
  });
});
