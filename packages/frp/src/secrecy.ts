import {
  type Cipher,
  createCipheriv,
  createDecipheriv,
  createHash,
  type Decipher,
  pbkdf2Sync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const ALGORITHM = 'aes-128-cfb';
const KEY_BYTES = 16;
const IV_BYTES = 16;
/** Few, as frp has them: what is stretched is a token of 256 random bits and no password. */
const ROUNDS = 64;

/** What a client proves to know the token by, with a time that it chooses: MD5, as frp has it. */
function createPrivilegeKey(token: string, timestamp: number): string {
  return createHash('md5').update(`${token}${timestamp}`).digest('hex');
}

export function isPrivilegeKey(given: string, token: string, timestamp: number): boolean {
  const expected = Buffer.from(createPrivilegeKey(token, timestamp));
  const bytes = Buffer.from(given);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** How what is said after the login is hidden on the control stream, in both directions; each begins with its random IV. */
export class ControlCipher {
  readonly #key: Buffer;
  #encryption: Cipher | undefined;
  #decryption: Decipher | undefined;
  /** The begin of the other end's IV. */
  #iv = Buffer.alloc(0);

  constructor(token: string) {
    this.#key = pbkdf2Sync(token, 'frp', ROUNDS, KEY_BYTES, 'sha1');
  }

  encrypt(bytes: Buffer): Buffer {
    if (this.#encryption) return this.#encryption.update(bytes);
    const iv = randomBytes(IV_BYTES);
    this.#encryption = createCipheriv(ALGORITHM, this.#key, iv);
    return Buffer.concat([iv, this.#encryption.update(bytes)]);
  }

  decrypt(bytes: Buffer): Buffer {
    if (this.#decryption) return this.#decryption.update(bytes);
    const begin = Buffer.concat([this.#iv, bytes]);
    if (begin.length < IV_BYTES) {
      this.#iv = begin;
      return Buffer.alloc(0);
    }
    this.#decryption = createDecipheriv(ALGORITHM, this.#key, begin.subarray(0, IV_BYTES));
    return this.#decryption.update(begin.subarray(IV_BYTES));
  }
}
