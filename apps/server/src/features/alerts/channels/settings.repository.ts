import type { z } from 'zod';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import { createEncryptedJson } from '../../../platform/encrypted-json.ts';
import type { Encryptor } from '../../../platform/encryptor.ts';

/** Settings that were encrypted with a key that is gone. */
export type Unreadable = 'unreadable';

/** SQL of the settings of one channel, by rule: encrypted, as an address may be as secret as a key (Slack's are). */
export function createSettingsRepository<Settings>(
  encryptor: Encryptor,
  channel: string,
  schema: z.ZodType<Settings>,
) {
  const stored = createEncryptedJson(encryptor, schema, (ruleId) => `alert ${channel} ${ruleId}`);

  async function load(
    executor: Database,
    ruleIds: readonly string[],
  ): Promise<Map<string, Settings | Unreadable>> {
    if (ruleIds.length === 0) return new Map();
    const rows = await executor
      .selectFrom('alert_rule_channels')
      .select(['rule_id', 'settings'])
      .where('channel', '=', channel)
      .where('rule_id', 'in', ruleIds)
      .execute();
    return new Map(
      rows.map(({ rule_id, settings }) => [rule_id, stored.read(rule_id, settings) ?? 'unreadable']),
    );
  }

  return {
    load,

    /** Null: the rule does not use the channel any more. */
    async save(transaction: DatabaseTransaction, ruleId: string, settings: Settings | null): Promise<void> {
      if (settings === null) {
        await transaction
          .deleteFrom('alert_rule_channels')
          .where('rule_id', '=', ruleId)
          .where('channel', '=', channel)
          .execute();
        return;
      }
      const encrypted = stored.encrypt(ruleId, settings);
      await transaction
        .insertInto('alert_rule_channels')
        .values({ rule_id: ruleId, channel, settings: encrypted })
        .onConflict((conflict) =>
          conflict.columns(['rule_id', 'channel']).doUpdateSet({ settings: encrypted }),
        )
        .execute();
    },
  };
}
