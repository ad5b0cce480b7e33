import { openDatabase } from '@pult/server/database';
import type { Installation } from './installation.ts';

/**
 * Measurements of the last so many hours for all controllers of the organization, one each minute with an hour without
 * any in the middle, and the fleet's figures as the server's job sums them up. They have no data partition.
 */
export async function seedMetrics(
  { server, organization }: Installation,
  { hours, organizationId = organization.id }: { hours: number; organizationId?: string },
): Promise<void> {
  const { pool, close } = await openDatabase(server.dataDir);
  try {
    for (let day = Math.ceil(hours / 24); day >= 0; day--) {
      const { rows } = await pool.query(
        `select to_char(d, 'YYYYMMDD') as name, d::text as first, (d + 1)::text as next
         from (select (now() at time zone 'utc')::date - $1::integer as d) as day`,
        [day],
      );
      const { name, first, next } = rows[0] ?? {};
      // The running server makes the days as well, under the same lock; statements of one query are one transaction.
      await pool.query(
        `select pg_advisory_xact_lock(hashtext('metric_samples_p${first}'));
         create table if not exists metric_samples_p${name} partition of metric_samples
         for values from ('${first} UTC') to ('${next} UTC')`,
      );
    }
    const times = (step: string) =>
      `generate_series(now() - $2::int * interval '1 hour', now() - interval '1 minute', interval '${step}') as t
       where t not between now() - ($2::int / 2) * interval '1 hour'
         and now() - ($2::int / 2 - 1) * interval '1 hour'`;
    await pool.query(
      `update controllers set activated_at = now() - $2::int * interval '1 hour' where organization_id = $1`,
      [organizationId, hours],
    );
    await pool.query(
      `insert into metric_samples
       select c.id, t, 0.6 + 0.4 * sin(s / 9000) + 0.1 * random(), 30 + 25 * sin(s / 7000) + 8 * random(),
         4e8 + 1e8 * sin(s / 11000), 1.2e9 - mod(s::int, 86400) * 2000, null, 48 + 6 * sin(s / 13000) + random(),
         mod(s::int, 90000)
       from controllers c, lateral (
         select t, extract(epoch from t)::double precision + ascii(right(c.serial_number, 1)) * 1000 as s
         from ${times('1 minute')}
       ) as points
       where c.organization_id = $1`,
      [organizationId, hours],
    );
    await pool.query(
      `insert into fleet_metrics (organization_id, name, at, controllers, lowest, median, highest)
       select $1, name, date_bin('5 minutes', t, 'epoch'), 12, base * 0.3, base * (1 + 0.2 * sin(s / 9000)),
         base * (2.2 + 0.4 * sin(s / 5000))
       from (values ('cpu_usage', 28.0), ('load15', 0.8), ('temperature', 45.0), ('mem_available', 5e8)) as m (name, base),
         lateral (select t, extract(epoch from t)::double precision as s from ${times('5 minutes')}) as points
       on conflict do nothing`,
      [organizationId, hours],
    );
    await pool.query(
      `insert into fleet_presence (organization_id, at, online, total)
       select $1, date_trunc('minute', t), 12 - (extract(hour from t)::int % 3), 12 from ${times('1 minute')}
       on conflict do nothing`,
      [organizationId, hours],
    );
  } finally {
    await close();
  }
}
