import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createEncryptor } from './encryptor.ts';

const encryptor = createEncryptor(randomBytes(32));

it('decrypts what it has encrypted, and encrypts the same text differently each time', () => {
  const [one, two] = [encryptor.encrypt('Секрет 🔑', 'a'), encryptor.encrypt('Секрет 🔑', 'a')];
  expect(encryptor.decrypt(one, 'a')).toBe('Секрет 🔑');
  expect(one.equals(two)).toBe(false);
  expect(one.includes(Buffer.from('Секрет'))).toBe(false);
});

it('refuses to decrypt under another key, another context or with a byte changed', () => {
  const encrypted = encryptor.encrypt('text', 'user 1');
  expect(() => encryptor.decrypt(encrypted, 'user 2')).toThrow();
  expect(() => createEncryptor(randomBytes(32)).decrypt(encrypted, 'user 1')).toThrow();
  for (const index of [0, 12, encrypted.length - 1]) {
    const changed = Buffer.from(encrypted);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => encryptor.decrypt(changed, 'user 1')).toThrow();
  }
  expect(() => encryptor.decrypt(Buffer.alloc(3), 'user 1')).toThrow();
});
