import type { z } from 'zod';
import type { Encryptor } from './encryptor.ts';

/** Values that the database keeps encrypted, each under the context of its own id. */
export interface EncryptedJson<Value> {
  encrypt(id: string, value: Value): Buffer;
  /** Undefined: it was encrypted with a key that is gone; the right one may come back. */
  read(id: string, encrypted: Buffer): Value | undefined;
}

export function createEncryptedJson<Value>(
  encryptor: Encryptor,
  schema: z.ZodType<Value>,
  contextOf: (id: string) => string,
): EncryptedJson<Value> {
  return {
    encrypt: (id, value) => encryptor.encrypt(JSON.stringify(value), contextOf(id)),

    read(id, encrypted) {
      let text: string;
      try {
        text = encryptor.decrypt(encrypted, contextOf(id));
      } catch {
        return undefined;
      }
      return schema.parse(JSON.parse(text));
    },
  };
}
