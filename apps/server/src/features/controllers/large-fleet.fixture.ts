import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';

/** Puts `size` controllers and a twentieth as many groups, two levels of them, into an organization. */
export async function fillFleet(db: Database, organizationId: string, size: number): Promise<void> {
  const groups = size / 20;
  await sql`
    insert into groups (id, organization_id, parent_id, name, created_at)
    select overlay(overlay(md5('group' || n) placing '4' from 13) placing '8' from 17)::uuid, ${organizationId},
      case when n > 10
        then overlay(overlay(md5('group' || (n % 10 + 1)) placing '4' from 13) placing '8' from 17)::uuid end,
      'group ' || n, now()
    from generate_series(1, ${groups}::int) n`.execute(db);
  await sql`
    insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at)
    select md5('enrolment' || n)::uuid, decode(md5('handle' || n), 'hex'), 'L' || n, decode(md5('key' || n), 'hex'),
      '', '', '', now(), now()
    from generate_series(1, ${size}::int) n`.execute(db);
  await sql`
    insert into controllers (id, serial_number, organization_id, enrolment_id, group_id, description, latitude, longitude,
      model, firmware_version, agent_version, status, status_reason, status_since, last_seen_at, activated_at, connection_kind)
    select md5('controller' || n)::uuid, 'L' || n, ${organizationId}, md5('enrolment' || n)::uuid,
      case when n % 10 > 0
        then overlay(overlay(md5('group' || (n % ${groups}::int + 1)) placing '4' from 13) placing '8' from 17)::uuid end,
      'pump ' || md5(n::text), case when n % 5 > 0 then (n::bigint * 7919 % 18000) / 100.0 - 90 end,
      case when n % 5 > 0 then (n::bigint * 104729 % 36000) / 100.0 - 180 end,
      '', 'fw-' || n % 40, '', (array['online', 'offline', 'offline', 'never'])[n % 4 + 1], 'link', now(),
      case when n % 4 < 3 then now() - n * interval '1 second' end, now() - n * interval '1 minute',
      case n % 50 when 1 then 'ssh' when 2 then 'wiren-board' else 'agent' end
    from generate_series(1, ${size}::int) n`.execute(db);
  await sql`
    insert into month_traffic (controller_id, organization_id, month, bytes)
    select md5('controller' || n)::uuid, ${organizationId}, '2026-11-01', n * 7919 % 5000 * 1000
    from generate_series(1, ${size}::int) n where n % 4 < 3`.execute(db);
  // As PostgreSQL does by itself after so many rows: only then an index says enough alone.
  await sql`vacuum (analyze) controllers`.execute(db);
  await sql`analyze groups`.execute(db);
  await sql`vacuum (analyze) month_traffic`.execute(db);
}
