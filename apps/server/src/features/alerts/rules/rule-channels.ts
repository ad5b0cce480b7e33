import type { AlertRule, SavedAlertRule } from '@pult/contract';
import type { AuditDetails } from '../../../platform/audit.ts';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { AlertChannel, ChannelChanges } from '../channels/channel.ts';
import type { BareRule, RulesRepository } from './rules.repository.ts';

/** What the channels of a rule know of it, together. */
export function createRuleChannels(
  db: Database,
  channels: readonly AlertChannel[],
  repository: RulesRepository,
) {
  return {
    /** Rules with the fields of all channels. `isWhole`: for somebody who may edit them. */
    async show(
      rules: readonly BareRule[],
      isWhole: boolean,
      executor: Database | DatabaseTransaction = db,
    ): Promise<AlertRule[]> {
      const ids = rules.map(({ id }) => id);
      const fields = new Map<string, Partial<AlertRule>>();
      for (const channel of channels) {
        const settings = await channel.load(executor, ids);
        const results = await repository.listLastResults(executor, channel.name, ids);
        for (const id of ids) {
          const context = { isWhole, lastResult: results.get(id) ?? null };
          fields.set(id, { ...fields.get(id), ...channel.show(settings.get(id), context) });
        }
      }
      // Together the channels have all the fields that the contract adds to a rule; tests check the answers.
      return rules.map((rule) => ({ ...rule, ...fields.get(rule.id) }) as AlertRule);
    },

    /** Stores what a request says of them. Throws FieldError. */
    async save(
      transaction: DatabaseTransaction,
      rule: { id: string; organizationId: string },
      changes: ChannelChanges,
    ): Promise<{ shownOnce: Partial<SavedAlertRule>; audit: AuditDetails }> {
      const saved = { shownOnce: {}, audit: {} };
      for (const channel of channels) {
        const { shownOnce, audit } = await channel.save(transaction, rule, changes);
        Object.assign(saved.shownOnce, shownOnce);
        Object.assign(saved.audit, audit);
      }
      return saved;
    },

    /** What the audit log says of a rule. */
    async describe(
      transaction: DatabaseTransaction,
      { id, enabled, minutes }: BareRule,
    ): Promise<AuditDetails> {
      const details: AuditDetails = { enabled, minutes };
      for (const channel of channels) {
        Object.assign(details, channel.describe((await channel.load(transaction, [id])).get(id)));
      }
      return details;
    },
  };
}
export type RuleChannels = ReturnType<typeof createRuleChannels>;
