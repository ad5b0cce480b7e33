import { openDatabase } from '@pult/server/database';
import type { Installation } from './installation.ts';

/** Days of the month so far for the fleet's first two controllers, as the counter of traffic writes them. */
export async function seedTraffic({ server }: Installation, organizationId: string): Promise<void> {
  const { pool, close } = await openDatabase(server.dataDir);
  try {
    await pool.query(
      `with days as (
         insert into traffic_days (controller_id, day, web, terminal, telemetry, diagnostics, keepalive)
         select id, day, 5000000 + n * 300000, n * 200000, 900000, case n when 3 then 4000000 else 0 end, 450000
         from controllers, generate_series(1, 28) n,
           lateral (select (date_trunc('month', now() at time zone 'utc'))::date + n - 1 as day) days
         where organization_id = $1 and serial_number in ('L000001', 'L000002')
         returning controller_id, day, web + terminal + telemetry + diagnostics + keepalive as bytes
       )
       insert into month_traffic (controller_id, organization_id, month, bytes)
       select controller_id, $1, min(day), sum(bytes) from days group by controller_id`,
      [organizationId],
    );
  } finally {
    await close();
  }
}
