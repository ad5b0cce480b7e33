import { sql } from 'kysely';
import { rotateUpdateKey } from '../features/agent-updates/index.ts';
import { createAuditLog } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import { changeUpdateKey } from '../shared-secrets.ts';
import { readConfig, withDatabase } from './with-database.ts';

/** A running server goes on with the key before until it is started anew. */
export async function rotateAgentKey(): Promise<void> {
  const config = readConfig();
  let key = '';
  await withDatabase((db) =>
    db.transaction().execute(async (transaction) => {
      // Two at once would make two successors, of which agents follow one.
      await sql`select pg_advisory_xact_lock(hashtext('agent-update-key'))`.execute(transaction);
      key = await rotateUpdateKey((change) => changeUpdateKey(config, db, change));
      const event = { action: 'agent_update_key.rotated', subject: key, address: 'localhost' } as const;
      await createAuditLog(db, systemClock).record(event, transaction);
    }),
  );
  process.stdout.write(
    `Updates of agents are signed by another key, ${key}, once the server has been started anew.\n` +
      'Agents take it by the word of the key before, each at its next link. Make a backup: earlier ones have the old key.\n',
  );
}
