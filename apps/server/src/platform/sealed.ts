import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** Encrypts what the database keeps but must not show: TOTP secrets, bodies of mails. */
export interface Sealer {
  /** `context` says what the text is and whose: a value copied into another row does not open there. */
  seal(text: string, context: string): Buffer;
  /** Throws when the key, the context or a byte is another one. */
  open(sealed: Buffer, context: string): string;
}

const algorithm = 'aes-256-gcm';
const nonceLength = 12;
const tagLength = 16;

/** `key`: 32 bytes. A sealed value is nonce, tag and ciphertext in this order. */
export function createSealer(key: Buffer): Sealer {
  return {
    seal(text, context) {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([nonce, cipher.getAuthTag(), body]);
    },
    open(sealed, context) {
      const nonce = sealed.subarray(0, nonceLength);
      const tag = sealed.subarray(nonceLength, nonceLength + tagLength);
      const decipher = createDecipheriv(algorithm, key, nonce, { authTagLength: tagLength })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      const body = decipher.update(sealed.subarray(nonceLength + tagLength));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}
