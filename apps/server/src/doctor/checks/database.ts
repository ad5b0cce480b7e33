import type pg from 'pg';
import { migrations } from '../../platform/db/migrations/index.ts';
import type { DoctorCheck } from '../doctor.ts';
import { describeError, type Finding, fail, ok, warn } from '../finding.ts';

/** Of PostgreSQL, tested: the embedded one is 18. */
const oldestMajor = 14;
/** What the server's pool takes, and the job queue beside it. */
const neededConnections = 25;

export const database: DoctorCheck = {
  name: 'database',
  async run({ config, openDatabase }) {
    const isExternal = config.database.url !== undefined;
    const client = await openDatabase().catch((error: unknown) =>
      fail(
        {
          en: `${isExternal ? 'DATABASE_URL' : 'the embedded database'} cannot be reached: ${describeError(error)}`,
          ru: `${isExternal ? 'DATABASE_URL: база данных недоступна' : 'встроенная база данных недоступна'}: ${describeError(error)}`,
        },
        isExternal
          ? {
              en: 'Look at its address, user and password, and whether PostgreSQL listens there and lets this machine in (pg_hba.conf).',
              ru: 'Посмотрите на адрес, пользователя и пароль и на то, пускает ли PostgreSQL эту машину (pg_hba.conf).',
            }
          : {
              en: 'The server’s log says what PostgreSQL says.',
              ru: 'Что говорит PostgreSQL, есть в журнале сервера.',
            },
      ),
    );
    if (client === undefined)
      return [
        ok({
          en: 'the embedded database does not run; the server starts it',
          ru: 'встроенная база данных не запущена; её запускает сервер',
        }),
      ];
    if ('status' in client) return [client];
    const found = [...(await lookAt(client)), ...(await lookAtPasskeys(client, config.http.publicUrl))];
    return isExternal ? [...found, await lookAtConnections(client)] : found;
  },
};

async function lookAt(client: pg.Client): Promise<Finding[]> {
  const { rows } = await client.query<{
    version: string;
    encoding: string;
    folds: boolean;
    readonly: boolean;
  }>(`
    select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
      'ТЁПЛЫЙ' ilike '%тёпл%' and lower('ТЁПЛЫЙ') = 'тёплый' as folds,
      current_setting('transaction_read_only') = 'on' as readonly`);
  const [row] = rows;
  if (!row) return [];
  const major = Number.parseInt(row.version, 10);
  const findings = [
    major < oldestMajor
      ? warn(
          {
            en: `PostgreSQL ${row.version} is older than what Pult is tested with`,
            ru: `PostgreSQL ${row.version} старше тех, с которыми Пульт проверен`,
          },
          {
            en: `Move to PostgreSQL ${oldestMajor} or newer.`,
            ru: `Перейдите на PostgreSQL ${oldestMajor} или новее.`,
          },
        )
      : ok({ en: `PostgreSQL ${row.version} answers`, ru: `PostgreSQL ${row.version} отвечает` }),
  ];
  if (row.encoding !== 'UTF8' || !row.folds) {
    findings.push(
      fail(
        {
          en: 'the database does not know letters other than Latin ones',
          ru: 'база данных не знает других букв, кроме латинских',
        },
        {
          en: "Make it with: CREATE DATABASE pult TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' LOCALE_PROVIDER icu ICU_LOCALE 'und';",
          ru: "Создайте её так: CREATE DATABASE pult TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8' LOCALE_PROVIDER icu ICU_LOCALE 'und';",
        },
      ),
    );
  }
  if (row.readonly) {
    findings.push(
      fail(
        { en: 'the database takes no writes', ru: 'база данных не принимает запись' },
        {
          en: 'Name the primary in DATABASE_URL, not a standby.',
          ru: 'Укажите в DATABASE_URL основной сервер, а не реплику.',
        },
      ),
    );
  }
  return [...findings, await lookAtSchema(client)];
}

async function lookAtSchema(client: pg.Client): Promise<Finding> {
  const { rows: tables } = await client.query("select to_regclass('kysely_migration') as name");
  if (tables[0]?.name === null)
    return ok({
      en: 'the database is empty; the first start fills it',
      ru: 'база данных пуста; её заполнит первый запуск',
    });
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration');
  const done = new Set(rows.map(({ name }) => name));
  const known = Object.keys(migrations);
  const foreign = [...done].filter((name) => !known.includes(name));
  if (foreign.length > 0) {
    return fail(
      {
        en: `the database is of another Pult than this one (${foreign.sort()[0]})`,
        ru: `база данных от другой версии Пульта (${foreign.sort()[0]})`,
      },
      { en: 'Start the Pult that it was used with.', ru: 'Запустите ту версию, с которой она работала.' },
    );
  }
  const missing = known.filter((name) => !done.has(name));
  return missing.length === 0
    ? ok({ en: 'the schema is that of this version', ru: 'схема базы данных от этой версии' })
    : warn(
        { en: `${missing.length} migrations are to be done`, ru: `предстоит миграций: ${missing.length}` },
        {
          en: 'They are done at the next start; make a backup before.',
          ru: 'Они пройдут при следующем запуске; сначала сделайте резервную копию.',
        },
      );
}

/** A passkey is bound to the host of PUBLIC_URL: of another one it is never asked for. */
async function lookAtPasskeys(client: pg.Client, publicUrl: string): Promise<Finding[]> {
  const { rows: tables } = await client.query("select to_regclass('passkeys') as name");
  if (tables[0]?.name === null) return [];
  const { hostname } = new URL(publicUrl);
  const { rows } = await client.query<{ count: number }>(
    'select count(*)::int as count from passkeys where relying_party <> $1',
    [hostname],
  );
  const count = rows[0]?.count ?? 0;
  if (count === 0) return [];
  return [
    warn(
      {
        en: `passkeys of another PUBLIC_URL: ${count}; at ${hostname} they do not work`,
        ru: `ключей доступа от другого PUBLIC_URL: ${count}; с ${hostname} они не работают`,
      },
      {
        en: 'Their users log in by password and code, and make new ones; or give PUBLIC_URL its former host again.',
        ru: 'Их владельцы входят по паролю и коду и создают новые; или верните PUBLIC_URL прежнее имя.',
      },
    ),
  ];
}

async function lookAtConnections(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ limit: number; used: number }>(`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as limit,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend' and application_name !~ '^pult') as used`);
  const { limit = 0, used = 0 } = rows[0] ?? {};
  const text = {
    en: `${limit} connections are possible, ${used} of them are others’`,
    ru: `возможно соединений: ${limit}, занято другими: ${used}`,
  };
  return limit - used < neededConnections
    ? warn(text, {
        en: `Raise max_connections: each server takes up to ${neededConnections}.`,
        ru: `Увеличьте max_connections: каждому серверу нужно до ${neededConnections}.`,
      })
    : ok(text);
}
