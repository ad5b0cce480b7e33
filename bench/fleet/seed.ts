import type { Client } from '../site.ts';

/** What is built: a fleet of one organization, in a tree of three levels. */
export const fleetSize = { controllers: 100_000, groups: 5000 };
const roots = 20;
const districts = 180;

/** Of row `n`: scattered, and the same in every run. */
const noise = (salt: string) => `(('x' || substr(md5('${salt}' || n), 1, 7))::bit(28)::int / 268435456.0)`;

/** The id of such a thing by its number: a UUID of version 4 in form. */
const idOf = (kind: string, number: string) =>
  `overlay(overlay(md5('${kind}' || ${number}) placing '4' from 13) placing '8' from 17)::uuid`;

const statements = (organizationId: string) => [
  `insert into groups (id, organization_id, parent_id, name, created_at)
   select ${idOf('group', 'n')}, '${organizationId}',
     case when n <= ${roots} then null
       when n <= ${roots + districts} then ${idOf('group', `(n % ${roots} + 1)`)}
       else ${idOf('group', `(n % ${districts} + ${roots} + 1)`)} end,
     case when n <= ${roots} then 'Регион ' when n <= ${roots + districts} then 'Район ' else 'Объект ' end || n, now()
   from generate_series(1, ${fleetSize.groups}) n`,
  `insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at)
   select ${idOf('enrolment', 'n')}, substr(decode(md5('handle' || n), 'hex'), 1, 8),
     'A' || upper(substr(md5('serial' || n), 1, 7)) || n, decode(md5('key' || n), 'hex'), 'Board 8', '', '1.0.0', now(), now()
   from generate_series(1, ${fleetSize.controllers}) n`,
  `insert into controllers (id, serial_number, organization_id, enrolment_id, group_id, description, latitude, longitude,
     model, firmware_version, agent_version, status, status_reason, status_since, last_seen_at, activated_at)
   select ${idOf('controller', 'n')}, 'A' || upper(substr(md5('serial' || n), 1, 7)) || n, '${organizationId}',
     ${idOf('enrolment', 'n')},
     case when ${noise('grouped')} < 0.9 then ${idOf('group', `(1 + floor(${noise('group')} * ${fleetSize.groups}))::int`)} end,
     (array['Котельная', 'Насосная', 'Теплопункт', 'Подстанция', 'Склад', 'Магазин', 'Школа'])[1 + floor(${noise('kind')} * 7)::int]
       || ' № ' || n || ', ул. ' || (array['Ленина', 'Мира', 'Садовая', 'Лесная', 'Ёлочная'])[1 + floor(${noise('street')} * 5)::int],
     case when ${noise('located')} < 0.8 then 45 + 20 * ${noise('latitude')} end,
     case when ${noise('located')} < 0.8 then 30 + 100 * ${noise('longitude')} * ${noise('east')} end,
     'Board 8', 'wb-24' || lpad((1 + floor(60 * ${noise('firmware')} * ${noise('newer')}))::text, 2, '0'), '1.0.0',
     status, 'link', now() - interval '30 days' * ${noise('since')},
     case when status <> 'never' then now() - interval '30 days' * ${noise('since')} end,
     now() - interval '1000 days' * ${noise('activated')}
   from (select n, case when ${noise('status')} < 0.03 then 'online' when ${noise('status')} < 0.88 then 'offline' else 'never' end as status
     from generate_series(1, ${fleetSize.controllers}) n) rows`,
  'vacuum (analyze) controllers',
  'vacuum (analyze) enrolments',
  'vacuum (analyze) groups',
];

/**
 * Fills an organization that has no controllers yet. Few are online: no device is linked, so the server will soon find
 * that out and write it down.
 */
export async function seedFleet(client: Client, organizationId: string): Promise<void> {
  for (const statement of statements(organizationId)) await client.query(statement);
}
