/**
 * `npm run bench migrations [-- --controllers N]`: how long each migration takes on an embedded database with that many controllers
 * (100,000), which are there since the first schema that has a fleet.
 */
import { parseArgs } from 'node:util';
import {
  connectDatabase,
  createLog,
  measureMigrations,
  removeEmbeddedDatabase,
  startEmbeddedPostgres,
} from '@pult/server/testing';
import { makeTempDir } from '@pult/testkit';
import { formatTable, print } from './tunnel/figures.ts';
import { describeMachine } from './tunnel/machine.ts';

const { values } = parseArgs({ options: { controllers: { type: 'string', default: '100000' } } });
const log = createLog('warn');

/** In the columns of 0003-fleet. */
const fleet = (size: number) => [
  `insert into organizations (id, name, created_at) values (md5('organization')::uuid, 'One', now())`,
  `insert into groups (id, organization_id, parent_id, name, created_at)
   select md5('group' || n)::uuid, md5('organization')::uuid, case when n > 100 then md5('group' || (n % 100 + 1))::uuid end, 'Group ' || n, now()
   from generate_series(1, ${size / 20}) n`,
  `insert into enrolments (id, handle, serial_number, public_key, model, firmware_version, agent_version, created_at, last_seen_at)
   select md5('enrolment' || n)::uuid, sha256(n::text::bytea), 'S' || n, n::text::bytea, 'Board 8', 'fw-' || n % 40, '1.0.0', now(), now()
   from generate_series(1, ${size}) n`,
  `insert into controllers (id, serial_number, organization_id, enrolment_id, group_id, description, model, firmware_version,
     agent_version, status, status_reason, status_since, activated_at)
   select md5('controller' || n)::uuid, 'S' || n, md5('organization')::uuid, md5('enrolment' || n)::uuid,
     case when n % 10 > 0 then md5('group' || (n % ${size / 20} + 1))::uuid end, 'Щитовая № ' || n || md5(n::text), 'Board 8', 'fw-' || n % 40,
     '1.0.0', (array['online', 'offline', 'offline', 'never'])[n % 4 + 1], 'link', now(), now()
   from generate_series(1, ${size}) n`,
  'vacuum (analyze)',
];

print(await describeMachine());
await using folder = await makeTempDir('migrations');
const postgres = await startEmbeddedPostgres({
  dataDir: folder.path,
  password: 'only-for-a-bench-1234567890',
  log,
});
try {
  const database = connectDatabase(postgres.connection, log, 1);
  try {
    await measureMigrations(database, { until: '0003-fleet' });
    const client = await database.pool.connect();
    await client.query('set statement_timeout = 0');
    for (const statement of fleet(Number(values.controllers))) await client.query(statement);
    client.release(true);
    const times = await measureMigrations(database);
    const rows = times.map(({ name, milliseconds }) => [name, `${milliseconds.toFixed(0)} ms`]);
    print(formatTable([['Migration', 'Time'], ...rows]));
    const sum = times.reduce((total, { milliseconds }) => total + milliseconds, 0);
    print(`All of them: ${(sum / 1000).toFixed(1)} s`);
  } finally {
    await database.close();
  }
} finally {
  await postgres.stop();
  await removeEmbeddedDatabase(folder.path);
}
