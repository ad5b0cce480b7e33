import { z } from 'zod';
import type { Encryptor } from '../../platform/encryptor.ts';
import type { WebhookReceiver } from '../../platform/webhooks/index.ts';

const schema = z.object({ url: z.string(), secret: z.string() });
const contextOf = (webhookId: string) => `webhook ${webhookId}`;

/** Addresses and keys of webhooks, as the database keeps them. */
export function createReceiverVault(encryptor: Encryptor) {
  return {
    encrypt: (webhookId: string, receiver: WebhookReceiver): Buffer =>
      encryptor.encrypt(JSON.stringify(receiver), contextOf(webhookId)),

    /** Undefined: it was encrypted with a key that is gone. */
    read({ id, receiver }: { id: string; receiver: Buffer }): WebhookReceiver | undefined {
      let text: string;
      try {
        text = encryptor.decrypt(receiver, contextOf(id));
      } catch {
        return undefined;
      }
      return schema.parse(JSON.parse(text));
    },
  };
}
export type ReceiverVault = ReturnType<typeof createReceiverVault>;
