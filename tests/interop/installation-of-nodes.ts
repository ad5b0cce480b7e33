import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createLog, loadSecrets } from '@pult/server/testing';
import {
  type ApiClient,
  createApiClient,
  FaultProxy,
  freePort,
  makeTempDir,
  type NatsServer,
  type PostgresPair,
  ResourceStack,
  type ServerProcess,
  startNatsServer,
  startPostgresPair,
  startServerProcess,
} from '@pult/testkit';
import pg from 'pg';
import S3rver from 's3rver';

/** One server process of an installation. */
export interface InstalledNode extends ServerProcess {
  readonly jumpPort: number;
  /** Between it and NATS. */
  readonly toNats: FaultProxy;
  /** Between the others and its port for nodes. */
  readonly fromNodes: FaultProxy;
  /** The administrator, logged in at this node. */
  readonly api: ApiClient;
  /** As the database names its present run. */
  getId(): Promise<string>;
}

export interface InstallationOfNodes extends AsyncDisposable {
  readonly nats: NatsServer;
  /** Where it has one. */
  readonly postgres: PostgresPair;
  readonly nodes: readonly InstalledNode[];
  node(index: number): InstalledNode;
  query(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  /** Of that run of a node, as if its time had passed. */
  endLease(id: string): Promise<void>;
}

/** What speaks S3, with a bucket: the settings that lead to it. */
export async function startBucket(stack: ResourceStack, folder: string): Promise<Record<string, string>> {
  const s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: join(folder, 's3'),
    configureBuckets: [{ name: 'pult', configs: [] }],
  });
  const { port } = await s3.run();
  stack.use({ [Symbol.asyncDispose]: () => s3.close() });
  return {
    S3_BUCKET: 'pult',
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER-S3RVER',
  };
}

/**
 * So many nodes of one installation: real NATS, a real PostgreSQL with a standby unless a database is told, a bucket, and no balancer, so
 * that a test says whom it asks.
 */
export async function startNodes(
  count: number,
  {
    env,
    main,
    isDirect = false,
    database,
  }: {
    env?: () => Promise<Record<string, string>>;
    /** The `main.js` of another build than that of this repository. */
    main?: string | undefined;
    /** Nodes reach each other, NATS and the database without what a test cuts: for figures. */
    isDirect?: boolean;
    /** In place of a PostgreSQL of its own. */
    database?: { url: string };
  } = {},
): Promise<InstallationOfNodes> {
  const stack = new ResourceStack();
  try {
    const folder = await makeTempDir('nodes');
    stack.use({ [Symbol.asyncDispose]: () => folder.remove() });
    const [nats, pair] = await Promise.all([startNatsServer(), database ? undefined : startPostgresPair()]);
    stack.use(nats);
    if (pair) stack.use(pair);
    const databaseUrl = database?.url ?? (isDirect ? pair?.primaryUrl : pair?.url) ?? '';
    const bucket = await startBucket(stack, folder.path);
    const secretsFolder = join(folder.path, 'secrets');
    await mkdir(secretsFolder, { mode: 0o700 });
    await loadSecrets(secretsFolder, createLog('silent'));
    const listening = await Promise.all(Array.from({ length: count }, () => freePort()));
    const urls = listening.map((port) => `http://localhost:${port}`);
    const nodes: InstalledNode[] = [];

    async function query(text: string, values: readonly unknown[] = []) {
      const client = new pg.Client({ connectionString: databaseUrl });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(text, [...values])).rows as Record<string, unknown>[];
      } finally {
        await client.end();
      }
    }

    async function launch(index: number): Promise<InstalledNode> {
      const port = listening[index] ?? 0;
      const dataDir = join(folder.path, `node-${index}`);
      await mkdir(dataDir, { mode: 0o700 });
      await copyFile(join(secretsFolder, 'secrets.json'), join(dataDir, 'secrets.json'));
      const [nodePort, jumpPort] = [await freePort(), await freePort()];
      const toNats = stack.use(await FaultProxy.start({ target: { host: '127.0.0.1', port: nats.port } }));
      const fromNodes = stack.use(await FaultProxy.start({ target: { host: '127.0.0.1', port: nodePort } }));
      const nodeAddress = `127.0.0.1:${isDirect ? nodePort : fromNodes.port}`;
      const server = stack.use(
        await startServerProcess({
          port,
          dataDir,
          main,
          env: {
            ...bucket,
            PUBLIC_URL: urls[0] ?? '',
            AGENT_URLS: urls.join(','),
            DATABASE_URL: databaseUrl,
            SSH_JUMP_PORT: String(jumpPort),
            NATS_URL: `nats://127.0.0.1:${isDirect ? nats.port : toNats.port}`,
            NODE_ADDRESS: nodeAddress,
            NODE_PORT: String(nodePort),
            SECRETS_FILE: join(secretsFolder, 'secrets.json'),
            ...(await env?.()),
          },
        }),
      );
      const login = { username: server.adminEmail, password: server.adminPassword };
      const api = await createApiClient({ baseUrl: server.url, ...login });
      const getId = async () => {
        const [row] = await query(
          'select id from nodes where address = $1 order by started_at desc limit 1',
          [nodeAddress],
        );
        return String(row?.id);
      };
      // With the getters of the process that runs at the moment.
      return Object.assign(Object.create(server), { jumpPort, toNats, fromNodes, api, getId });
    }

    // The first one makes the tables and the first account.
    nodes.push(await launch(0));
    nodes.push(...(await Promise.all(listening.slice(1).map((_, at) => launch(at + 1)))));
    return {
      nats,
      get postgres() {
        if (!pair) throw new Error('this installation has no PostgreSQL of its own');
        return pair;
      },
      nodes,
      node(index) {
        const node = nodes[index];
        if (!node) throw new Error(`there is no node ${index}`);
        return node;
      },
      query,
      async endLease(id) {
        await query('update nodes set lease_until = now() where id = $1', [id]);
      },
      [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose](),
    };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}
