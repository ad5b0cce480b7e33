import { sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';

/** SQL of where users have logged in from. */
export function createKnownDevicesRepository(db: Database) {
  return {
    /**
     * Notes a login and tells what was known before it. The caller holds the user's row, so that of two logins at
     * once one is the first.
     */
    async remember(
      transaction: DatabaseTransaction,
      device: { userId: string; hash: Buffer; seenAt: Date },
    ): Promise<{ isFirstLogin: boolean; isKnown: boolean }> {
      // The parts of one statement do not see what the others write: the answer is that of before.
      const known = await transaction
        .with('noted', (db) =>
          db
            .insertInto('known_devices')
            .values({ user_id: device.userId, device_hash: device.hash, last_seen_at: device.seenAt })
            .onConflict((conflict) =>
              conflict.columns(['user_id', 'device_hash']).doUpdateSet({ last_seen_at: device.seenAt }),
            ),
        )
        .selectFrom('known_devices')
        .select([
          sql<boolean>`count(*) = 0`.as('isFirstLogin'),
          sql<boolean>`coalesce(bool_or(device_hash = ${device.hash}), false)`.as('isKnown'),
        ])
        .where('user_id', '=', device.userId)
        .executeTakeFirstOrThrow();
      return known;
    },

    /** Keeps each user's last one: whoever has none counts as one who never logged in. */
    async deleteUnseenSince(time: Date): Promise<void> {
      await db
        .deleteFrom('known_devices as old')
        .where('last_seen_at', '<=', time)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('known_devices as newer')
              .select('newer.user_id')
              .whereRef('newer.user_id', '=', 'old.user_id')
              .whereRef('newer.last_seen_at', '>', 'old.last_seen_at'),
          ),
        )
        .execute();
    },
  };
}
export type KnownDevicesRepository = ReturnType<typeof createKnownDevicesRepository>;
