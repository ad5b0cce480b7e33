import { readFile, writeFile } from 'node:fs/promises';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createInstallation, type Installation } from './backups.fixture.ts';
import { decryptWith, isRecipient, readIdentities } from './format/encryption.ts';

let installation: Installation;
let file: string;
let identity: string;
let other: string;

beforeAll(async () => {
  installation = await createInstallation();
  [identity, other] = await Promise.all([generateX25519Identity(), generateX25519Identity()]);
  const recipients = await Promise.all([identityToRecipient(other), identityToRecipient(identity)]);
  file = await installation.back('secret.tar.gz.age', { recipients });
}, 120_000);
afterAll(() => installation.close());

it('an encrypted backup is opened by the key of any of its recipients', async () => {
  for (const key of [identity, other]) {
    const { manifest } = await installation.verify(file, [key]);
    expect(manifest.counts).toMatchObject({ organizations: 0 });
  }
}, 120_000);

it('an encrypted backup shows nothing of what is in it', async () => {
  const bytes = await readFile(file);
  expect(bytes.subarray(0, 21).toString()).toBe('age-encryption.org/v1');
  expect(bytes.includes('backup.json')).toBe(false);
});

it('an encrypted backup is refused without a key, with a wrong one, and when it was cut off or changed', async () => {
  const stranger = await generateX25519Identity();
  await expect(installation.verify(file)).rejects.toThrow(/encrypted.*--identity/);
  await expect(installation.verify(file, [stranger])).rejects.toThrow(/encrypted for another key/);
  const bytes = await readFile(file);
  const bad = installation.path('bad.age');
  for (const change of [bytes.subarray(0, bytes.length - 70_000), bytes.subarray(0, 300)]) {
    await writeFile(bad, change);
    await expect(installation.verify(bad, [identity])).rejects.toThrow(/damaged|no backup/);
  }
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(200_000) ^ 1, 200_000);
  await writeFile(bad, changed);
  await expect(installation.verify(bad, [identity])).rejects.toThrow(/damaged/);
}, 60_000);

it('an identity file is read as age-keygen writes it, and never quoted', () => {
  expect(readIdentities(`# created: 2026\n# public key: age1…\n${identity}\n\n`)).toEqual([identity]);
  expect(() => readIdentities('# nothing\n')).toThrow(/holds no key/);
  expect(() => readIdentities('AGE-SECRET-KEY-1QQQ')).toThrow(/^((?!1QQQ).)*$/);
});

it('only public keys of age are recipients', async () => {
  expect(isRecipient(await identityToRecipient(identity))).toBe(true);
  expect(isRecipient(identity)).toBe(false);
  expect(isRecipient('age1qqqq')).toBe(false);
});

it('what is not encrypted is passed on as it is', async () => {
  const source = async function* () {
    yield Buffer.from('plain');
  };
  const chunks: Buffer[] = [];
  for await (const chunk of decryptWith([], source())) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toBe('plain');
});
