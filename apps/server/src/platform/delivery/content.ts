import type { Encryptor } from '../encryptor.ts';

const contextOf = (id: string) => `delivery ${id}`;

export function encryptContent(encryptor: Encryptor, id: string, content: unknown): Buffer {
  return encryptor.encrypt(JSON.stringify(content), contextOf(id));
}

/** The content as it was before it was encrypted. Throws when the key is another one. */
export function decryptContent(encryptor: Encryptor, delivery: { id: string; content: Buffer }): unknown {
  return JSON.parse(encryptor.decrypt(delivery.content, contextOf(delivery.id)));
}
