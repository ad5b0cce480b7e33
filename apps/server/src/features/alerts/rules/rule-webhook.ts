import type { Encryptor } from '../../../platform/encryptor.ts';
import { FieldError } from '../../../platform/errors.ts';
import { isPrivateUrl } from '../webhooks/private-network.ts';
import { createWebhookSecret } from '../webhooks/signature.ts';
import { decryptTarget, type WebhookTarget, webhookContext } from '../webhooks/webhooks.ts';

export interface ChangedWebhook {
  /** Null: the rule has none. */
  encrypted: Buffer | null;
  /** A key that was made just now, to be shown this once. */
  newSecret?: string;
}

interface WantedWebhook {
  /** Undefined: as it is. */
  url: string | null | undefined;
  newSecret: boolean;
}

/** Keeps the address with the key: a path may be as secret as the key (Slack's are). */
export function createRuleWebhooks({
  encryptor,
  allowsPrivate,
}: {
  encryptor: Encryptor;
  allowsPrivate: boolean;
}) {
  const open = (ruleId: string, encrypted: Buffer | null): WebhookTarget | undefined =>
    encrypted === null ? undefined : decryptTarget(encryptor, ruleId, encrypted);

  return {
    open,

    /** A key goes on signing as long as the receiver is at the same origin. Throws the error of `webhookUrl`. */
    change(ruleId: string, current: Buffer | null, { url, newSecret }: WantedWebhook): ChangedWebhook {
      if (url === null) return { encrypted: null };
      const before = open(ruleId, current);
      const target = url ?? before?.url;
      if (target === undefined) return { encrypted: null };
      if (url !== undefined && !allowsPrivate && isPrivateUrl(new URL(url))) {
        throw new FieldError('webhookUrl', 'webhook_private');
      }
      const isSame = before !== undefined && new URL(before.url).origin === new URL(target).origin;
      const kept = isSame && !newSecret ? before.secret : undefined;
      const secret = kept ?? createWebhookSecret();
      const encrypted = encryptor.encrypt(JSON.stringify({ url: target, secret }), webhookContext(ruleId));
      return { encrypted, ...(kept === undefined ? { newSecret: secret } : {}) };
    },
  };
}
export type RuleWebhooks = ReturnType<typeof createRuleWebhooks>;
