import { randomUUID } from 'node:crypto';
import { Migrator, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createLog } from '../../log.ts';
import { connectDatabase, type DatabaseConnection } from '../connect.ts';
import { migrations } from './index.ts';

/** A database of the release with 0003 as its last migration, with a fleet in it, brought up to date. */

const log = createLog('silent');
const name = `pult_existing_${randomUUID().replaceAll('-', '')}`;
const [one, other] = [randomUUID(), randomUUID()];
const [outer, inner] = [randomUUID(), randomUUID()];
let connection: DatabaseConnection;

async function onServer(statement: string): Promise<void> {
  const admin = connectDatabase({ ...inject('databaseServer'), database: 'postgres' }, log, 1);
  await sql.raw(statement).execute(admin.db);
  await admin.close();
}

/** In the columns that there were then: 30 of a group in a group, 20 of none, and 10 of another organization. */
async function addFleet(): Promise<void> {
  const { db } = connection;
  await sql`insert into organizations (id, name, created_at) values (${one}, 'One', now()), (${other}, 'Other', now())`.execute(
    db,
  );
  await sql`insert into users (id, email, password_hash, locale, created_at)
    values (gen_random_uuid(), 'later@example.com', '', 'en', now()),
      (gen_random_uuid(), 'anna@пример.рф', '', 'ru', now()), (gen_random_uuid(), 'anna@[рф', '', 'ru', now()),
      (gen_random_uuid(), 'first@example.com', '', 'en', now() - interval '1 day')`.execute(db);
  await sql`insert into groups (id, organization_id, parent_id, name, created_at)
    values (${outer}, ${one}, null, 'Outer', now()), (${inner}, ${one}, ${outer}, 'Inner', now())`.execute(
    db,
  );
  await sql`
    insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at)
    select gen_random_uuid(), sha256(n::text::bytea), 'OLD-' || n, n::text::bytea, '', '', '', now(), now()
    from generate_series(1, 60) n`.execute(db);
  await sql`
    insert into controllers (id, serial_number, organization_id, enrolment_id, group_id, description, model,
      firmware_version, agent_version, status, status_reason, status_since, activated_at)
    select gen_random_uuid(), serial_number, case when n <= 50 then ${one}::uuid else ${other}::uuid end, id,
      case when n <= 30 then ${inner}::uuid end, 'Щитовая № ' || n, '', '', '',
      (array['online', 'offline', 'never'])[n % 3 + 1], 'link', now(), now()
    from (select *, row_number() over (order by serial_number) as n from enrolments) all_enrolments`.execute(
    db,
  );
}

interface Figure {
  organization: string;
  group: string | null;
  status: string;
  count: number;
}

const sortFigures = (rows: readonly Figure[]) => rows.map((row) => JSON.stringify(row)).sort();

/** The figures as they are kept, and as they are when every row is looked at. */
async function readFigures(): Promise<{ kept: string[]; counted: string[] }> {
  const kept = await sql<Figure>`
    select organization_id as organization, nullif(group_id, '00000000-0000-0000-0000-000000000000') as "group", status,
      sum(change)::int as count from group_counts group by 1, 2, 3 having sum(change) <> 0`.execute(
    connection.db,
  );
  const counted = await sql<Figure>`
    select organization_id as organization, group_id as "group", status, count(*)::int as count
    from controllers group by 1, 2, 3`.execute(connection.db);
  return { kept: sortFigures(kept.rows), counted: sortFigures(counted.rows) };
}

async function readTotals(): Promise<Record<string, number>> {
  const { rows } = await sql<{ organization: string; count: number }>`
    select organization_id as organization, sum(change)::int as count from organization_counts
    group by 1 having sum(change) <> 0`.execute(connection.db);
  return Object.fromEntries(rows.map(({ organization, count }) => [organization, count]));
}

beforeAll(async () => {
  await onServer(`create database ${name} template template0`);
  connection = connectDatabase({ ...inject('databaseServer'), database: name }, log, 2);
  const migrator = new Migrator({ db: connection.db, provider: { getMigrations: async () => migrations } });
  expect((await migrator.migrateTo('0003-fleet')).error).toBeUndefined();
  await addFleet();
  expect((await migrator.migrateToLatest()).error).toBeUndefined();
});
afterAll(async () => {
  await connection.close();
  await onServer(`drop database ${name} with (force)`);
});

it('counts and finds the controllers that were there before', async () => {
  const { kept, counted } = await readFigures();
  expect(counted).toHaveLength(9);
  expect(kept).toEqual(counted);
  expect(await readTotals()).toEqual({ [one]: 50, [other]: 10 });
  const { rows } = await sql`select from controllers where search_text like '%щитовая № 7%'`.execute(
    connection.db,
  );
  expect(rows).toHaveLength(1);
});

it('counts on when they change their status, their group, and go', async () => {
  const { db } = connection;
  await sql`update controllers set status = 'online' where organization_id = ${one} and status = 'never'`.execute(
    db,
  );
  await sql`update controllers set group_id = ${outer} where organization_id = ${one} and group_id is null`.execute(
    db,
  );
  await sql`delete from controllers where organization_id = ${one} and status = 'offline'`.execute(db);
  const changed = await readFigures();
  expect(changed.kept).toEqual(changed.counted);
  // Takes the inner group along, and leaves the controllers of both without one.
  await sql`delete from groups where id = ${outer}`.execute(db);
  const ungrouped = await readFigures();
  expect(ungrouped.kept).toEqual(ungrouped.counted);
  expect(ungrouped.counted.filter((row) => row.includes(one) && !row.includes('"group":null'))).toEqual([]);
  await sql`delete from organizations where id = ${one}`.execute(db);
  expect(await readTotals()).toEqual({ [other]: 10 });
});

it('makes the first account that there was an administrator of the installation, and no other', async () => {
  const { rows } = await sql`select email from users where is_administrator`.execute(connection.db);
  expect(rows).toEqual([{ email: 'first@example.com' }]);
});

it('knows accounts with a domain beyond ASCII by its ASCII, and leaves what is no domain', async () => {
  const { rows } = await sql<{
    email: string;
  }>`select email from users where email like 'anna@%' order by email`.execute(connection.db);
  expect(rows.map(({ email }) => email).sort()).toEqual(['anna@[рф', 'anna@xn--e1afmkfd.xn--p1ai']);
});
