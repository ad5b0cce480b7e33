import type { z } from 'zod';
import type { Database, DatabaseTransaction } from '../../../platform/db/schema.ts';
import type { Encryptor } from '../../../platform/encryptor.ts';

/** Settings that were encrypted with a key that is gone. */
export type Unreadable = 'unreadable';

/** SQL of the settings of one channel, by rule: encrypted, as an address may be as secret as a key (Slack's are). */
export function createSettingsRepository<Settings>(
  encryptor: Encryptor,
  channel: string,
  schema: z.ZodType<Settings>,
) {
  const contextOf = (ruleId: string) => `alert ${channel} ${ruleId}`;

  function read(ruleId: string, encrypted: Buffer): Settings | Unreadable {
    let text: string;
    try {
      text = encryptor.decrypt(encrypted, contextOf(ruleId));
    } catch {
      return 'unreadable';
    }
    return schema.parse(JSON.parse(text));
  }

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
    return new Map(rows.map(({ rule_id, settings }) => [rule_id, read(rule_id, settings)]));
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
      const encrypted = encryptor.encrypt(JSON.stringify(settings), contextOf(ruleId));
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
