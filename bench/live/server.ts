/**
 * A process with the whole server in it and devices that only seem to be linked: what their links cost is not measured,
 * only what follows when they come and go. Tells its parent where it listens, makes a storm of changes when it is told to,
 * and says what that took.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ComposedServer,
  composeServer,
  connectDatabase,
  createLog,
  loadConfig,
  loadSecrets,
  migrateDatabase,
  readEnvironment,
  startEmbeddedPostgres,
} from '@pult/server/testing';
import { connectClient } from '../fleet/client.ts';
import { seedFleet } from '../fleet/seed.ts';

export interface LiveSettings {
  dataDir: string;
  port: number;
  email: string;
  password: string;
  databaseUrl?: string | undefined;
}

export interface StormOrder {
  changes: number;
  seconds: number;
}

export interface StormReport {
  /** Milliseconds by which the main thread was late. */
  delayP50: number;
  delayP99: number;
  delayMax: number;
  /** Share of one core. */
  processor: number;
  /** MiB. */
  resident: number;
}

type Link = Parameters<ComposedServer['links']['add']>[1];

/** A link over which nothing goes. */
function createSeemingLink(): { link: Link; end: () => void } {
  let end = () => {};
  const closed = new Promise<'shutdown'>((resolve) => {
    end = () => resolve('shutdown');
  });
  const refuse = () => Promise.reject(new Error('this device only seems to be linked'));
  const parts = { closed, close: end, goAway: () => {} };
  // Whatever else is asked of it fails, as with a device that does not answer.
  const link = new Proxy(parts, {
    get: (target, name) => (name in target ? target[name as keyof typeof target] : refuse),
  }) as unknown as Link;
  return { link, end };
}

const settings: LiveSettings = JSON.parse(process.argv[2] ?? '');
const log = createLog('silent');
const secrets = await loadSecrets(settings.dataDir, log);
const embedded = settings.databaseUrl
  ? undefined
  : await startEmbeddedPostgres({ dataDir: settings.dataDir, log, password: secrets.databasePassword });
const connection = embedded ? embedded.connection : { url: settings.databaseUrl ?? '' };
const database = connectDatabase(connection, log);
await migrateDatabase(database, log);
const { port } = settings;
const environment = readEnvironment({
  env: {
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: `http://localhost:${port}`,
    SSH_JUMP_PORT: '0',
    DATA_DIR: settings.dataDir,
    ADMIN_EMAIL: settings.email,
    ADMIN_PASSWORD: settings.password,
  },
  directory: null,
});
const config = loadConfig(environment, { version: '0.0.0' });
const server = await composeServer({ config, secrets, db: database.db, pool: database.pool, log });
await server.createFirstAdministrator();
const organization = await database.db.selectFrom('organizations').select('id').executeTakeFirstOrThrow();
const { client, close } = await connectClient(connection);
await seedFleet(client, organization.id);
const { rows } = await client.query('show server_version');
// Of those who look online nobody is: as after a restart that took long.
await client.query("update controllers set status = 'offline' where status = 'online'");
await close();
const devices = await database.db.selectFrom('controllers').select('enrolment_id').orderBy('id').execute();
await server.listen();

const links = new Map<string, () => void>();
/** Devices come one after the other, each for as long as the fleet takes, and go. */
async function storm({ changes, seconds }: StormOrder): Promise<void> {
  const begun = performance.now();
  for (let number = 0; number < changes; number += 1) {
    const id = devices[number % devices.length]?.enrolment_id ?? '';
    const end = links.get(id);
    if (end) {
      links.delete(id);
      end();
    } else {
      const { link, end: endLink } = createSeemingLink();
      links.set(id, endLink);
      server.links.add(id, link);
    }
    const early = begun + ((number + 1) * seconds * 1000) / changes - performance.now();
    if (early > 1) await wait(early);
  }
}

process.on('message', async (order: StormOrder | 'end') => {
  if (order === 'end') {
    await server.close(1000);
    await database.close();
    await embedded?.stop();
    process.exit(0);
  }
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const used = process.cpuUsage();
  const begun = performance.now();
  await storm(order);
  const taken = performance.now() - begun;
  const { user, system } = process.cpuUsage(used);
  delay.disable();
  // The histogram holds the whole interval of 5 ms.
  const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - 5);
  const report: StormReport = {
    delayP50: late(delay.percentile(50)),
    delayP99: late(delay.percentile(99)),
    delayMax: late(delay.max),
    processor: (user + system) / 1000 / taken,
    resident: process.memoryUsage.rss() / 2 ** 20,
  };
  process.send?.(report);
});
// A parent that was killed has no use for this process any more.
process.on('disconnect', async () => {
  await embedded?.stop();
  process.exit(1);
});
process.send?.({ organizationId: organization.id, version: String(rows[0]?.server_version) });
