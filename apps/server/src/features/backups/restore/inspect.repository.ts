import { quietSession, quietSettings, startEmbeddedPostgres } from '@pult/embedded-postgres';
import { sql } from 'kysely';
import { connectDatabase } from '../../../platform/db/connect.ts';
import { isKnownMigration } from '../../../platform/db/migrate.ts';
import type { Database } from '../../../platform/db/schema.ts';
import type { Logger } from '../../../platform/log.ts';
import { oneLine } from '../../../platform/one-line.ts';
import { BackupError } from '../format/entry.ts';

export interface Inspection {
  /** The last migration. */
  schema: string;
  /** Rows of each table; each of them was read. */
  counts: Readonly<Record<string, number>>;
  /** What lets somebody in and may have been withdrawn after the backup. */
  credentials: readonly string[];
}

/**
 * Starts PostgreSQL on a restored database, which may be anybody's, and reads all of its tables: a page that is not what was written
 * fails its checksum. Throws what keeps it from being used.
 */
export async function inspectDatabase(options: {
  dataDir: string;
  password: string;
  log: Logger;
  /** Whether the database is to outlive a power cut. */
  isDurable: boolean;
}): Promise<Inspection> {
  const postgres = await startEmbeddedPostgres({
    ...options,
    settings: options.isDurable ? quietSettings : { ...quietSettings, fsync: 'off' },
    sessionOptions: quietSession,
    restartPausesMs: [],
  });
  try {
    const database = connectDatabase(postgres.connection, options.log, 1);
    try {
      return await inspect(database.db);
    } finally {
      await database.close();
    }
  } finally {
    await postgres.stop();
  }
}

/** Those of which more than the number of rows is read. */
const readTables = ['kysely_migration', 'users', 'ssh_keys', 'organizations', 'invites'];

async function inspect(db: Database): Promise<Inspection> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select schemaname as schema, tablename as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`.execute(db);
  // As tables: a view of that name would run what somebody has written into it.
  const own = tables.filter(({ schema }) => schema === 'public').map(({ name }) => name);
  if (!readTables.every((name) => own.includes(name))) {
    throw new BackupError('The database in the backup is not that of a Pult server.');
  }
  const { rows: migrations } = await sql<{ name: string }>`
    select name from public.kysely_migration order by name`.execute(db);
  const unknown = migrations.find(({ name }) => !isKnownMigration(name));
  if (unknown) {
    throw new BackupError(
      `The database in the backup has the migration ${oneLine(unknown.name)}, which this Pult does not know: it is of a newer one.`,
    );
  }
  const counts: Record<string, number> = {};
  for (const { schema, name } of tables) {
    const { rows } = await sql<{
      rows: string;
    }>`select count(*) as rows from ${sql.table(`${schema}.${name}`)}`.execute(db);
    counts[schema === 'public' ? name : `${schema}.${name}`] = Number(rows[0]?.rows);
  }
  return {
    schema: migrations.at(-1)?.name ?? '',
    counts,
    credentials: (
      await listCredentials(
        db,
        migrations.map(({ name }) => name),
      )
    ).map(oneLine),
  };
}

const listedAtMost = 200;

/** `done` are the migrations of the database, which may be of an earlier release: it may not have all that is asked for here. */
async function listCredentials(db: Database, done: readonly string[]): Promise<string[]> {
  const keys = await db
    .selectFrom('ssh_keys')
    .innerJoin('users', 'users.id', 'ssh_keys.user_id')
    .select(['users.email', 'ssh_keys.name', 'ssh_keys.created_at'])
    .orderBy('users.email')
    .limit(listedAtMost)
    .execute();
  const invites = await db
    .selectFrom('invites')
    .innerJoin('organizations', 'organizations.id', 'invites.organization_id')
    .select(['invites.email', 'invites.role', 'organizations.name', 'invites.expires_at'])
    .where('invites.expires_at', '>', new Date())
    .orderBy('invites.email')
    .limit(listedAtMost)
    .execute();
  const enrolmentKeys = done.includes('0026-enrolment-keys') ? await listEnrolmentKeys(db) : [];
  const administrators = done.includes('0027-administrators')
    ? await db
        .selectFrom('users')
        .select('email')
        .where('is_administrator', '=', true)
        .orderBy('email')
        .limit(listedAtMost)
        .execute()
    : [];
  const tokens = done.includes('0036-tokens') ? await listTokens(db) : [];
  const grants = done.includes('0037-grants') ? await listGrants(db) : [];
  const passkeys = done.includes('0044-passkeys') ? await listPasskeys(db) : [];
  const signIns = done.includes('0045-identity-providers') ? await listSignIns(db) : [];
  return [
    ...administrators.map(({ email }) => `administrator of the installation: ${email}`),
    ...keys.map(({ email, name, created_at: at }) => `SSH key of ${email}: ${name} (${toDay(at)})`),
    ...passkeys,
    ...signIns,
    ...tokens,
    ...grants,
    ...invites.map(
      ({ email, role, name, expires_at: end }) =>
        `invite of ${email} as ${role} of ${name} (until ${toDay(end)})`,
    ),
    ...enrolmentKeys,
  ];
}

/** Those by which programs act still. */
async function listTokens(db: Database): Promise<string[]> {
  const tokens = await db
    .selectFrom('access_tokens')
    .innerJoin('sessions', 'sessions.id', 'access_tokens.id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.email', 'access_tokens.name', 'sessions.created_at'])
    .where('sessions.expires_at', '>', new Date())
    .orderBy('users.email')
    .limit(listedAtMost)
    .execute();
  return tokens.map(({ email, name, created_at: at }) => `token of ${email}: ${name} (${toDay(at)})`);
}

async function listPasskeys(db: Database): Promise<string[]> {
  const passkeys = await db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['users.email', 'passkeys.name', 'passkeys.created_at'])
    .orderBy('users.email')
    .limit(listedAtMost)
    .execute();
  return passkeys.map(({ email, name, created_at: at }) => `passkey of ${email}: ${name} (${toDay(at)})`);
}

/** Providers of organizations, and logins at any that are linked to accounts: whoever has one needs no password here. */
async function listSignIns(db: Database): Promise<string[]> {
  const providers = await db
    .selectFrom('identity_providers')
    .innerJoin('organizations', 'organizations.id', 'identity_providers.organization_id')
    .select(['organizations.name', 'identity_providers.issuer'])
    .orderBy('organizations.name')
    .limit(listedAtMost)
    .execute();
  const identities = await db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .select(['users.email', 'identities.issuer', 'identities.created_at'])
    .orderBy('users.email')
    .limit(listedAtMost)
    .execute();
  return [
    ...providers.map(({ name, issuer }) => `sign-in of ${name}: by ${issuer}`),
    ...identities.map(
      ({ email, issuer, created_at: at }) => `login of ${email}: by ${issuer} (${toDay(at)})`,
    ),
  ];
}

/** Rights on parts of organizations that have not ended. */
async function listGrants(db: Database): Promise<string[]> {
  const grants = await db
    .selectFrom('grants')
    .innerJoin('users', 'users.id', 'grants.subject_user_id')
    .innerJoin('organizations', 'organizations.id', 'grants.organization_id')
    .leftJoin('groups', 'groups.id', 'grants.group_id')
    .leftJoin('controllers', 'controllers.id', 'grants.controller_id')
    .select(['users.email', 'grants.role', 'organizations.name', 'groups.name as group'])
    .select('controllers.serial_number as controller')
    .where(({ eb, or }) => or([eb('grants.ends_at', 'is', null), eb('grants.ends_at', '>', new Date())]))
    .orderBy('users.email')
    .limit(listedAtMost)
    .execute();
  return grants.map(({ email, role, name, group, controller }) => {
    const place = group ?? controller;
    return `right of ${email}: ${role} of ${place === null ? name : `${place} in ${name}`}`;
  });
}

/** Those by which devices may claim themselves still. */
async function listEnrolmentKeys(db: Database): Promise<string[]> {
  const keys = await db
    .selectFrom('enrolment_keys')
    .innerJoin('organizations', 'organizations.id', 'enrolment_keys.organization_id')
    .select(['enrolment_keys.name as key', 'organizations.name', 'enrolment_keys.expires_at'])
    .where('enrolment_keys.revoked_at', 'is', null)
    .where('enrolment_keys.expires_at', '>', new Date())
    .whereRef('enrolment_keys.uses', '<', 'enrolment_keys.max_uses')
    .orderBy('enrolment_keys.name')
    .limit(listedAtMost)
    .execute();
  return keys.map(
    ({ key, name, expires_at: end }) => `enrolment key of ${name}: ${key} (until ${toDay(end)})`,
  );
}

const toDay = (date: Date) => date.toISOString().slice(0, 10);
