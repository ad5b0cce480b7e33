import { hkdfSync } from 'node:crypto';

/** What nodes with the same secrets have in common without telling each other: 32 bytes for each purpose. */
export interface NodeKeys {
  /** Of the messages between them, which it encrypts. */
  readonly messages: Buffer;
  /** Seed of the authority of their certificates. */
  readonly authority: Buffer;
  /** HMAC of the challenges for devices. */
  readonly challenges: Buffer;
}

/** One key says nothing of another one, nor of that of the installation. */
export function createNodeKeys(installationKey: Buffer): NodeKeys {
  const derive = (purpose: string) =>
    Buffer.from(hkdfSync('sha256', installationKey, '', `pult nodes: ${purpose}`, 32));
  return {
    messages: derive('messages'),
    authority: derive('authority'),
    challenges: derive('challenges'),
  };
}
