import { copyFile, mkdir } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { createLog, loadSecrets, startEmbeddedPostgres } from '@pult/server/testing';
import {
  type ApiClient,
  createApiClient,
  freePort,
  listenOnLoopback,
  makeTempDir,
  type NatsServer,
  ResourceStack,
  type ServerProcess,
  startNatsServer,
  startServerProcess,
} from '@pult/testkit';
import S3rver from 's3rver';

export interface InstallationOfNodes extends AsyncDisposable {
  nats: NatsServer;
  nodes: readonly ServerProcess[];
  jumpPorts: readonly number[];
  /** The administrator, logged in at that node. */
  apiOf(node: ServerProcess): Promise<ApiClient>;
}

/** A PostgreSQL that no node has started, reached by TCP. */
async function startDatabase(stack: ResourceStack, folder: string): Promise<string> {
  const password = 'of-the-test';
  const database = await startEmbeddedPostgres({ dataDir: join(folder, 'db'), password, log: createLog('silent') });
  const { host, port } = database.connection;
  const sockets = new Set<Socket>();
  const open = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const proxy = createServer((client) => {
    const upstream = open(connect(`${host}/.s.PGSQL.${port}`));
    open(client).pipe(upstream).pipe(client);
    upstream.on('close', () => client.destroy());
    client.on('close', () => upstream.destroy());
  });
  const outside = await listenOnLoopback(proxy);
  stack.use({
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await database.stop();
    },
  });
  return `postgres://pult:${password}@127.0.0.1:${outside}/pult`;
}

async function startBucket(stack: ResourceStack, folder: string): Promise<Record<string, string>> {
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

/** So many nodes of one installation: real NATS, a PostgreSQL outside, and no balancer, so that a test says whom it asks. */
export async function startNodes(count: number): Promise<InstallationOfNodes> {
  const stack = new ResourceStack();
  try {
    const folder = await makeTempDir('nodes');
    stack.use({ [Symbol.asyncDispose]: () => folder.remove() });
    const nats = stack.use(await startNatsServer());
    const database = await startDatabase(stack, folder.path);
    const bucket = await startBucket(stack, folder.path);
    const secretsFolder = join(folder.path, 'secrets');
    await loadSecrets(secretsFolder, createLog('silent'));
    const ports = await Promise.all(Array.from({ length: count }, () => freePort()));
    const urls = ports.map((port) => `http://localhost:${port}`);
    const jumpPorts = await Promise.all(ports.map(() => freePort()));
    const nodes: ServerProcess[] = [];
    for (const [index, port] of ports.entries()) {
      const dataDir = join(folder.path, `node-${index}`);
      await mkdir(dataDir, { mode: 0o700 });
      await copyFile(join(secretsFolder, 'secrets.json'), join(dataDir, 'secrets.json'));
      const env = {
        ...bucket,
        PULT_TRY_SEVERAL_NODES: '1',
        PUBLIC_URL: urls[0] ?? '',
        AGENT_URLS: urls.join(','),
        DATABASE_URL: database,
        SSH_JUMP_PORT: String(jumpPorts[index]),
        NATS_URL: nats.url,
        NODE_ADDRESS: `127.0.0.1:${await freePort()}`,
        SECRETS_FILE: join(secretsFolder, 'secrets.json'),
      };
      nodes.push(stack.use(await startServerProcess({ port, dataDir, env })));
    }
    const apiOf = (node: ServerProcess) =>
      createApiClient({ baseUrl: node.url, username: node.adminEmail, password: node.adminPassword });
    return { nats, nodes, jumpPorts, apiOf, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
  } catch (error) {
    await stack[Symbol.asyncDispose]();
    throw error;
  }
}
