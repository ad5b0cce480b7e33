import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { readHostKey } from './host-key.ts';

test('reads every key, also those whose bytes begin or end with zeros', () => {
  for (let round = 0; round < 600; round += 1) {
    const { privateKey } = generateKeyPairSync('ed25519');
    const key = readHostKey(privateKey);
    expect(key.isPrivateKey()).toBe(true);
    const data = Buffer.from(`round ${round}`);
    expect(verify(null, data, createPublicKey(privateKey), key.sign(data))).toBe(true);
  }
});
