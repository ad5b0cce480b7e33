import type { Client } from '../site.ts';

/** Measurements of so many days each minute for every controller there is, straight into the tables. */
export async function seedSamples(client: Client, days: number): Promise<number> {
  for (let back = days; back >= 0; back--) {
    const { rows } = await client.query(
      `select to_char(d, 'YYYYMMDD') as name, d::text || ' UTC' as first, (d + 1)::text || ' UTC' as next
       from (select (now() at time zone 'utc')::date - $1::integer as d) as day`,
      [back],
    );
    const { name, first, next } = rows[0] ?? {};
    await client.query(
      `create table if not exists metric_samples_p${name} partition of metric_samples for values from ('${first}') to ('${next}')`,
    );
    await client.query(
      `insert into metric_samples
       select c.id, t, random(), random() * 100, 1e9 + random(), 1e9, 1e9, 40 + random() * 20, extract(epoch from t)
       from generate_series('${first}'::timestamptz, least('${next}'::timestamptz, now()) - interval '1 second', '1 minute') as t
       cross join controllers c`,
    );
  }
  // As autovacuum leaves days that are over.
  await client.query('vacuum analyze metric_samples');
  const { rows } = await client.query('select count(*)::integer as count from metric_samples');
  return Number(rows[0]?.count);
}

/** The same into VictoriaMetrics, of the one figure that is asked for. */
export async function seedVictoria(url: string, client: Client, days: number): Promise<number> {
  const { rows } = await client.query(
    'select id, serial_number as serial, organization_id as organization from controllers order by id',
  );
  const minute = 60_000;
  const last = Math.floor(Date.now() / minute) * minute;
  const count = days * 24 * 60;
  for (const { id, serial, organization } of rows) {
    const labels = `controller="${id}",serial="${serial}",organization="${organization}"`;
    const lines = Array.from({ length: count }, (_, back) => {
      const value = (40 + Math.random() * 20).toFixed(2);
      return `pult_temperature{${labels}} ${value} ${last - back * minute}\n`;
    });
    const answer = await fetch(`${url}/api/v1/import/prometheus`, { method: 'POST', body: lines.join('') });
    if (!answer.ok) throw new Error(`VictoriaMetrics answered ${answer.status}`);
  }
  return rows.length * count;
}
