import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Role, type RouteName, routes } from '@pult/contract';
import { createDeviceKey } from '@pult/link';
import {
  type ComposedServer,
  composeServer,
  createEncryptor,
  createId,
  createLog,
  type Database,
  decryptContent,
  hashPassword,
  hashPasswordsCheaply,
  type Jobs,
  type Logger,
  loadConfig,
  type MailContent,
  readEnvironment,
  type Secrets,
  startJobs,
} from '@pult/server/testing';
import { TestClock } from './test-clock.ts';
import { createTestDatabase } from './test-database.ts';

/** A user of a test server, logged in. */
export interface TestUser {
  id: string;
  email: string;
  password: string;
  /** For the Authorization header. */
  access: string;
  /** For the Cookie header. */
  cookie: string;
}

export interface TestAnswer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** The parsed JSON, undefined for an empty body. */
  body: unknown;
}

export interface TestMail extends MailContent {
  id: string;
  to: string;
  kind: string;
}

export interface CallOptions {
  as?: TestUser | undefined;
  params?: Record<string, string>;
  query?: Record<string, string | string[]>;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestServer {
  server: ComposedServer;
  db: Database;
  clock: TestClock;
  publicUrl: string;
  secrets: Secrets;
  /** Calls a route of the contract as it stands there, without its client's manners. */
  call(name: RouteName, options?: CallOptions): Promise<TestAnswer>;
  /** Any request to any path. */
  request(
    method: string,
    url: string,
    options?: { headers?: Record<string, string>; payload?: string; remoteAddress?: string },
  ): Promise<TestAnswer>;
  createUser(email?: string): Promise<TestUser>;
  createOrganization(owner: TestUser, name?: string): Promise<string>;
  addMember(organizationId: string, user: TestUser, role: Role): Promise<void>;
  /** The mails whose bodies are still there, oldest first. */
  readMails(): Promise<TestMail[]>;
  /** Whether that many of its transactions wait for another's lock. */
  isWaitingForLock(count?: number): Promise<boolean>;
  /** Runs the server's jobs from now on; without it nothing takes them out of the queue. */
  startJobs(): Promise<void>;
  /** Makes the jobs that wait for another try due at once. */
  runPendingJobs(): Promise<void>;
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

export interface TestServerOptions {
  /** In place of new ones. */
  secrets?: Partial<Secrets>;
  /** Environment variables over the defaults. */
  environment?: Record<string, string>;
  timing?: Parameters<typeof composeServer>[0]['timing'];
  archives?: Parameters<typeof composeServer>[0]['archives'];
  /** How fast a user may change things; as fast as they like unless told. */
  writeRate?: Parameters<typeof composeServer>[0]['writeRate'];
  databaseDisk?: Parameters<typeof composeServer>[0]['databaseDisk'];
  unreadLimits?: Parameters<typeof composeServer>[0]['unreadLimits'];
  workLimits?: Parameters<typeof composeServer>[0]['workLimits'];
  consoleDirectory?: string;
  manualDirectory?: string;
  agentDirectory?: string;
  /** PEM texts. */
  tls?: { cert: string; key: string };
  tunnelTls?: { cert: string; key: string };
  /** Silent by default. */
  log?: Logger;
}

const password = 'correct-horse-battery-9';
hashPasswordsCheaply();
// One hash for all users of a test run.
let passwordHash: Promise<string> | undefined;

function createSecrets(): Secrets {
  return {
    activationKey: randomBytes(32),
    encryptionKey: randomBytes(32),
    jwtPrivateKey: createDeviceKey(),
    sshHostKey: createDeviceKey(),
    agentUpdateKey: createDeviceKey(),
    agentUpdateRotations: [],
    databasePassword: 'unused',
  };
}

/** The real server on a database of its own, in this process, with a clock that stands still. */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const clock = new TestClock();
  // Made only when something is kept there.
  const dataDir = join(tmpdir(), `pult-data-${randomBytes(6).toString('hex')}`);
  const publicUrl = options.environment?.PUBLIC_URL ?? 'http://localhost:8080';
  const environment = readEnvironment({
    env: {
      PORT: '0',
      PUBLIC_URL: publicUrl,
      APP_ENV: 'test',
      SSH_JUMP_PORT: '0',
      DATA_DIR: dataDir,
      ...options.environment,
    },
    directory: null,
  });
  const secrets = { ...createSecrets(), ...options.secrets };
  const server = await composeServer({
    config: loadConfig(environment, { version: '0.0.0-test' }),
    secrets,
    db: database.db,
    pool: database.pool,
    log: options.log ?? createLog('silent'),
    clock,
    checkAnswers: true,
    ...(options.timing ? { timing: options.timing } : {}),
    archives: options.archives,
    writeRate: options.writeRate ?? { burst: 1_000_000, perSecond: 1_000 },
    databaseDisk: options.databaseDisk,
    unreadLimits: options.unreadLimits,
    workLimits: options.workLimits,
    consoleDirectory: options.consoleDirectory,
    manualDirectory: options.manualDirectory,
    agentDirectory: options.agentDirectory,
    tls: options.tls,
    tunnelTls: options.tunnelTls,
  });

  const request: TestServer['request'] = async (
    method,
    url,
    { headers = {}, payload, remoteAddress } = {},
  ) => {
    const response = await server.app.inject({
      // inject's list of methods is narrower than what a client may send.
      method: method as 'GET',
      url,
      headers: { host: new URL(publicUrl).host, ...headers },
      ...(payload === undefined ? {} : { payload }),
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
    });
    const isJson =
      response.body !== '' && response.headers['content-type']?.toString().includes('json') === true;
    const body: unknown = isJson ? response.json() : response.body || undefined;
    return { status: response.statusCode, headers: response.headers, body };
  };

  let jobs: Jobs | undefined;
  let closing: Promise<void> | undefined;
  const closeAll = async () => {
    await server.close(0);
    await jobs?.stop();
    await database.discard();
    await rm(dataDir, { recursive: true, force: true });
  };
  const close = () => {
    closing ??= closeAll();
    return closing;
  };

  const addMember: TestServer['addMember'] = async (organizationId, user, role) => {
    await database.db
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: user.id, role, joined_at: clock.now() })
      .execute();
  };

  const encryptor = createEncryptor(secrets.encryptionKey);
  const readMails: TestServer['readMails'] = async () => {
    const rows = await database.db
      .selectFrom('deliveries')
      .selectAll()
      .where('channel', '=', 'mail')
      .orderBy('id')
      .execute();
    return rows.flatMap(({ id, kind, recipient, content }) =>
      content === null
        ? []
        : [
            {
              id,
              kind,
              to: recipient ?? '',
              // Only the outbox adds mails.
              ...(decryptContent(encryptor, { id, content }) as MailContent),
            },
          ],
    );
  };

  return {
    server,
    addMember,
    readMails,
    async isWaitingForLock(count = 1) {
      const { rows } = await database.pool.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return rows.length >= count;
    },
    db: database.db,
    clock,
    publicUrl,
    secrets,
    request,
    call(name, { as, params = {}, query, body, headers = {} } = {}) {
      const route = routes[name];
      const path = route.path.replace(/\{(\w+)\}/g, (_, key: string) =>
        encodeURIComponent(params[key] ?? ''),
      );
      const search = new URLSearchParams(
        Object.entries(query ?? {}).flatMap(([key, value]) =>
          [value].flat().map((each): [string, string] => [key, each]),
        ),
      );
      return request(route.method, search.size > 0 ? `${path}?${search}` : path, {
        headers: {
          'accept-language': 'en',
          ...(as ? { authorization: `Bearer ${as.access}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
    },
    async createUser(email = `${randomBytes(4).toString('hex')}@example.com`) {
      passwordHash ??= hashPassword(password);
      const id = createId();
      await database.db
        .insertInto('users')
        .values({ id, email, password_hash: await passwordHash, locale: 'en', created_at: clock.now() })
        .execute();
      const login = await request('POST', routes.login.path, {
        headers: { 'content-type': 'application/json', 'accept-language': 'en' },
        payload: JSON.stringify({ username: email, password }),
      });
      if (login.status !== 200) throw new Error(`login answered ${login.status}`);
      const [setCookie = ''] = [login.headers['set-cookie']].flat().map(String);
      const { access } = login.body as { access: string };
      return { id, email, password, access, cookie: setCookie.split(';')[0] ?? '' };
    },
    async createOrganization(owner, name = 'Organization') {
      const id = createId();
      await database.db.insertInto('organizations').values({ id, name, created_at: clock.now() }).execute();
      await addMember(id, owner, 'owner');
      return id;
    },
    async startJobs() {
      const all = [...server.jobs, ...server.queuedJobs];
      jobs = await startJobs(database.pool, all, options.log ?? createLog('silent'), server.node);
    },
    async runPendingJobs() {
      // Read where the worker does, and told as the queue tells of new ones.
      await database.pool.query('update graphile_worker._private_jobs set run_at = now()');
      await database.pool.query(`select pg_notify('jobs:insert', '{"r": "0", "count": 10}')`);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
