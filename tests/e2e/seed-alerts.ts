import { openDatabase } from '@pult/server/database';
import type { Installation } from './installation.ts';

/** Alerts of the fleet's first two controllers: one that is still away, and one that is back. */
export async function seedAlerts({ server }: Installation, organizationId: string): Promise<void> {
  const { pool, close } = await openDatabase(server.dataDir);
  try {
    await pool.query(
      `insert into alerts (organization_id, controller_id, offline_since, fired_at, notified_at, resolved_at)
       select organization_id, id, now() - interval '95 minutes', now() - interval '85 minutes',
         now() - interval '84 minutes', case serial_number when 'L000002' then now() - interval '30 minutes' end
       from controllers where organization_id = $1 and serial_number in ('L000001', 'L000002')`,
      [organizationId],
    );
  } finally {
    await close();
  }
}
