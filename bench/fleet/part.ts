import { createApiClient } from '@pult/testkit';
import type { BenchSite } from '../site.ts';

/** How many rights the person has: on regions, on districts, on single groups, and on controllers. */
const kinds = [
  { column: 'group_id', table: 'groups', where: `name like 'Регион %'`, count: 3 },
  { column: 'group_id', table: 'groups', where: `name like 'Район %'`, count: 7 },
  { column: 'group_id', table: 'groups', where: `name like 'Объект %'`, count: 7 },
  { column: 'controller_id', table: 'controllers', where: 'group_id is null', count: 3 },
] as const;

/** Somebody without a role in the organization who has 20 grants in its tree, logged in, and how many controllers they see. */
export async function addPerson({ client, server, organizationId }: BenchSite) {
  const email = 'part@example.com';
  const { rows } = await client.query(
    `insert into users (id, email, password_hash, locale, created_at)
     select gen_random_uuid(), $1, password_hash, 'en', now() from users where email = $2 returning id`,
    [email, server.adminEmail],
  );
  let grants = 0;
  for (const { column, table, where, count } of kinds) {
    const { rowCount } = await client.query(
      `insert into grants (id, organization_id, subject_user_id, ${column}, role, created_at)
       select gen_random_uuid(), $1, $2, id, 'member', now()
       from ${table} where organization_id = $1 and ${where} order by id limit ${count}`,
      [organizationId, rows[0]?.id],
    );
    grants += rowCount ?? 0;
  }
  await client.query('analyze grants');
  const { call, access } = await createApiClient({
    baseUrl: server.url,
    username: email,
    password: server.adminPassword,
  });
  const { count } = await call('countControllers', { query: { organization_id: organizationId } });
  return { access, grants, controllers: count };
}
