import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts what the database keeps but must not show: TOTP secrets, bodies of mails. */
export interface Encryptor {
  /** `context` says what the text is and whose: a value copied into another row cannot be decrypted there. */
  encrypt(text: string, context: string): Buffer;
  /** Throws when the key, the context or a byte is another one. */
  decrypt(encrypted: Buffer, context: string): string;
}

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** `key`: 32 bytes. An encrypted value is nonce, tag and ciphertext in this order. */
export function createEncryptor(key: Buffer): Encryptor {
  return {
    encrypt(text, context) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    decrypt(encrypted, context) {
      const nonce = encrypted.subarray(0, nonceLength);
      const tag = encrypted.subarray(nonceLength, nonceLength + tagLength);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const body = decipher.update(encrypted.subarray(nonceLength + tagLength));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
