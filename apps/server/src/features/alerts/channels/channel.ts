import type {
  AlertRule,
  CreateAlertRuleRequest,
  DeliveryResult,
  Locale,
  SavedAlertRule,
  TestedAlertRule,
  UpdateAlertRuleRequest,
} from '@pult/contract';
import type { AuditDetails } from '../../../platform/audit.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { ClaimedDelivery } from '../../../platform/delivery/index.ts';
import type { Message } from '../message.ts';

/** What a request says of the channels of a rule; what it does not name stays as it is. */
export type ChannelChanges = Omit<UpdateAlertRuleRequest & Partial<CreateAlertRuleRequest>, 'group'>;

/** One message of a channel, as `send` gets it. */
export interface RenderedMessage {
  /** For the administrator's list of mails. */
  kind: string;
  content: unknown;
  /** Where a rule has many receivers. */
  recipient?: string;
  locale?: Locale;
}

/**
 * A way by which rules notify. A new one is a folder beside the others and a row in `channels.ts`, with its fields in
 * the contract and its twin in the console: docs/adding.md. `Settings` are what a rule that uses it has stored.
 */
export interface AlertChannel<Settings = unknown> {
  /** Also of its deliveries. */
  name: string;

  /** What it would send is stored and reaches nobody: the server has no mail server. */
  isKept?: boolean;

  /** The settings of those of the rules that use it. Never throws for what one rule has stored: the others need theirs. */
  load(executor: Database, ruleIds: readonly string[]): Promise<ReadonlyMap<string, Settings>>;

  /**
   * Stores what a request changes. Resolves to what is shown this once and what the audit log says of the change.
   * Throws FieldError.
   */
  save(
    transaction: DatabaseTransaction,
    rule: { id: string; organizationId: string },
    changes: ChannelChanges,
  ): Promise<{ shownOnce?: Partial<SavedAlertRule>; audit?: AuditDetails }>;

  /** Its fields of a rule. `isWhole`: for somebody who may edit the rule. */
  show(
    settings: Settings | undefined,
    context: { isWhole: boolean; lastResult: DeliveryResult | null },
  ): Partial<AlertRule>;

  /** What the audit log says of a rule: never a secret. */
  describe(settings: Settings | undefined): AuditDetails;

  render(message: Message, settings: Settings | undefined): RenderedMessage[];

  /**
   * Sends one of them by the settings of that moment. Resolves to the status answered, throws DeliveryFailure. A
   * channel without it has its deliveries sent by the platform, which knows their recipients.
   */
  send?(delivery: ClaimedDelivery, settings: Settings, signal: AbortSignal): Promise<number | null>;

  /** Its fields of the answer to a test: how many messages went out, and how the one that was tried at once went. */
  reportTest(test: { count: number; result: DeliveryResult | null }): Partial<TestedAlertRule>;
}
