import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { quietSession, removeEmbeddedDatabase, startEmbeddedPostgres } from '@pult/embedded-postgres';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connectDatabase, type DatabaseConnection } from '../../platform/db/connect.ts';
import { migrateDatabase } from '../../platform/db/migrate.ts';
import { log } from './backups.fixture.ts';
import { inspectDatabase } from './restore/inspect.repository.ts';

let folder: string;
let dataDir: string;
/** A program that the database has run leaves a file of its name here. */
let ran: string;
const password = 'secret';

async function withDatabase(work: (database: DatabaseConnection) => Promise<unknown>): Promise<void> {
  const settings = { fsync: 'off', autovacuum: 'off' };
  const sessionOptions = `${quietSession} -c default_transaction_read_only=off`;
  const postgres = await startEmbeddedPostgres({ dataDir, password, log, settings, sessionOptions });
  try {
    const database = connectDatabase(postgres.connection, log, 1);
    await work(database);
    await database.close();
  } finally {
    await postgres.stop();
  }
}

/** Each statement as whoever has written the backup would have it there. */
const run = (statements: string) =>
  withDatabase(async ({ db }) => {
    for (const each of statements.split(';\n')) await sql.raw(each).execute(db);
  });
const look = () => inspectDatabase({ dataDir, password, log, isDurable: false });

beforeAll(async () => {
  folder = await mkdtemp('/tmp/pulthd-');
  // The database's user must be able to pass through.
  await chmod(folder, 0o711);
  dataDir = join(folder, 'data');
  ran = join(folder, 'ran');
  await mkdir(ran);
  await chmod(ran, 0o777);
  await withDatabase((database) => migrateDatabase(database, log));
  await run(
    `create function public.run(name text) returns boolean language plpgsql security definer as $$ begin
       execute format('copy (select 1) to program %L', 'touch ${ran}/' || name); return true; end $$;
     insert into organizations (id, name, created_at) values (gen_random_uuid(), 'one', now())`,
  );
}, 120_000);
afterAll(async () => {
  await removeEmbeddedDatabase(dataDir);
  await rm(folder, { recursive: true });
});

it('what a database runs when somebody connects to it is not run by a look at it', async () => {
  await run(
    `create function public.greet() returns event_trigger language plpgsql as $$ begin
       perform public.run('login'); end $$;
     create event trigger greet on login execute function public.greet();
     alter event trigger greet enable always;
     create schema evil;
     create view evil.pg_tables as select 'public'::name schemaname, 'users'::name tablename where public.run('tables');
     create function evil.eq(name, text) returns boolean language sql as $$ select public.run('operator') $$;
     create operator evil.= (leftarg = name, rightarg = text, function = evil.eq);
     alter role all set search_path = evil, public, pg_catalog;
     alter role all set session_preload_libraries = '/nowhere/evil';
     alter role all set local_preload_libraries = 'evil'`,
  );
  expect((await look()).counts.organizations).toBe(1);
  await run('drop event trigger greet;\n alter role all reset all;\n drop schema evil cascade');
  expect(await readdir(ran)).toEqual([]);
}, 60_000);

it('names in a database steer no terminal, and hide no line of what lets people in', async () => {
  const name = "E'boiler\\r\\x1b[2K\\u009b1A\\u202e\\u2028'";
  await run(
    `insert into users (id, email, password_hash, locale, created_at) values (gen_random_uuid(), 'eve@example.com', '', 'en', now());
     insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, relying_party, is_synced, created_at)
       select gen_random_uuid(), id, ${name}, '', '', 0, '{}', '', false, now() from users`,
  );
  const { credentials } = await look();
  expect(credentials).toEqual([expect.stringMatching(/^passkey of eve@example\.com: boiler \[2K 1A +\(/)]);
}, 60_000);

it.each([
  [
    'a view in the place of a table',
    () => `alter table grants rename to was_grants;
      create view grants as select was_grants.* from was_grants right join (select public.run('view') as ran) on ran`,
    `drop view grants;
      alter table was_grants rename to grants`,
  ],
  [
    'a table whose parts a program gives',
    () => `create extension file_fdw;
      create server evil foreign data wrapper file_fdw;
      create table parts (a text) partition by list (a);
      create foreign table part partition of parts default server evil options (program 'touch ${ran}/foreign')`,
    `drop extension file_fdw cascade;
      drop table parts`,
  ],
  [
    'a policy, and without rights for the one who looks',
    () => `create policy evil on organizations using (public.run('policy'));
      alter table organizations enable row level security;
      create role helper superuser;
      alter function public.run owner to helper;
      alter table organizations owner to helper;
      grant all on all tables in schema public to public;
      grant set on parameter session_preload_libraries, event_triggers to public;
      update pg_authid set rolsuper = false, rolbypassrls = false where rolname = current_user`,
    undefined,
  ],
])(
  'a database with %s is refused, and nothing of it runs',
  async (_, plant, takeOut) => {
    await run(plant());
    const outcome = await look().catch((error: unknown) => error);
    if (takeOut) await run(takeOut);
    const names = await readdir(ran);
    await Promise.all(names.map((name) => rm(join(ran, name))));
    expect(names).toEqual([]);
    expect(outcome).toBeInstanceOf(Error);
  },
  60_000,
);
