import type { Locale } from '@pult/contract';

/** Something to be sent by a channel: a mail, a call of a webhook. */
export interface NewDelivery {
  /** Of a DeliveryMethod. */
  channel: string;
  /** Which of the product's messages it is, for the administrator's list: `invite`, `alerts.fired`. */
  kind: string;
  /** Whom it goes to, and in which language, where the delivery says so and not the rule. */
  recipient?: string;
  locale?: Locale;
  /** Stored as encrypted JSON. */
  content: unknown;
  /** The thing whose secret the content carries: once it is used, replaced or over, the content goes. */
  link?: { id: string; expiresAt: Date } | undefined;
  /** The alert rule whose settings say where it goes when it is sent; it is deleted with the rule. */
  ruleId?: string;
  /** The same of a webhook of the organization. */
  webhookId?: string;
}

/** A delivery that one server, and no other, is trying now. */
export interface ClaimedDelivery {
  id: string;
  kind: string;
  recipient: string | null;
  locale: Locale | null;
  ruleId: string | null;
  webhookId: string | null;
  /** As it was given to `add`. */
  content: unknown;
  /** This one included. */
  attempts: number;
}

/** How the deliveries of one channel are sent. All methods share one table, one queue and one rule of retrying. */
export interface DeliveryMethod {
  channel: string;
  maxAttempts: number;
  /** Seconds: longer than any try takes. One whose server was killed is let go by then. */
  claimSeconds: number;
  /** It asks strangers, who may keep it waiting as long as they like: it has workers of its own. */
  isSlow?: boolean;
  /** Resolves to the status that the receiver answered, null where there is none. Throws DeliveryFailure. */
  send(delivery: ClaimedDelivery, signal: AbortSignal): Promise<number | null>;
  /** After each try that is written down. */
  onTried?(delivery: ClaimedDelivery): Promise<void>;
}

/** The receiver did not take it. `reason` is fit to be shown: it holds no link, address or password. */
export class DeliveryFailure extends Error {
  override readonly name = 'DeliveryFailure';
  readonly reason: string;
  /** Trying again would get the same answer. */
  readonly isFinal: boolean;
  /** What the receiver answered. */
  readonly status: number | null;
  /** As the receiver says it: see readRetryAfter. */
  readonly retryAfter: string | undefined;
  /** The receiver is to be left alone until then. */
  readonly retryAt: Date | undefined;
  /** False: the receiver was left alone, as it had asked for. */
  readonly wasTried: boolean;

  constructor(
    reason: string,
    options: {
      isFinal?: boolean;
      status?: number | undefined;
      retryAfter?: string | undefined;
      retryAt?: Date;
      wasTried?: boolean;
      cause?: unknown;
    } = {},
  ) {
    super(reason, { cause: options.cause });
    this.reason = reason;
    this.isFinal = options.isFinal ?? false;
    this.status = options.status ?? null;
    this.retryAfter = options.retryAfter;
    this.retryAt = options.retryAt;
    this.wasTried = options.wasTried ?? true;
  }
}

/** Seconds. */
export const longestDelay = 2 * 3600;

/** Seconds until the next try: half a minute at first, two hours at last (greylisting asks for 1 to 15 minutes). */
export function retryDelay(attempts: number): number {
  return Math.min(30 * 3 ** (attempts - 1), longestDelay);
}
