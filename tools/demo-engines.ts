/**
 * What several nodes share, for the demo with `--nodes N`: `demo-engines.ts <data folder> <host> <port> <ports of the nodes>`. The
 * packaged PostgreSQL as one from outside, by TCP; NATS; a bucket; and a balancer on the demo's own port.
 */

import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { joinStreams } from '@pult/link/join-streams';
import { createLog, loadSecrets, startEmbeddedPostgres } from '@pult/server/testing';
import S3rver from 's3rver';
import { findPort } from './demo-nodes.ts';
import { findProgram } from './system-packages.ts';

const [dataDir = '', host = '', port = '', nodePorts = ''] = process.argv.slice(2);
const log = createLog('warn');
const natsServer = findProgram('nats-server');
if (!natsServer) throw new Error('nats-server is missing');

async function listen(server: Server, on: { host: string; port: number }): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(on.port, on.host, resolve);
  });
  // A listening TCP server has an address object.
  return (server.address() as AddressInfo).port;
}

const loopback = { host: '127.0.0.1', port: 0 };
const { databasePassword } = await loadSecrets(dataDir, log);
const database = await startEmbeddedPostgres({ dataDir, password: databasePassword, log });
const { connection } = database;
const databasePort = await listen(
  createServer((client) => joinStreams(client, connect(`${connection.host}/.s.PGSQL.${connection.port}`))),
  loopback,
);

const bucket = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: join(dataDir, 's3'),
  configureBuckets: [{ name: 'pult', configs: [] }],
});
await mkdir(join(dataDir, 's3'), { recursive: true });
const { port: bucketPort } = await bucket.run();

const natsPort = await findPort();
const nats = spawn(natsServer, ['--addr', '127.0.0.1', '--port', String(natsPort)], { stdio: 'ignore' });

const nodes = nodePorts.split(',').map(Number);
let turn = 0;

/** Each connection goes to the next node, past those that do not answer. */
function balance(client: Socket, tried = 0): void {
  if (tried === nodes.length || client.destroyed) {
    client.destroy();
    return;
  }
  turn += 1;
  const node = connect({ host: '127.0.0.1', port: nodes[turn % nodes.length] ?? 0 });
  const next = () => balance(client, tried + 1);
  node.once('error', next);
  node.once('connect', () => {
    node.off('error', next);
    joinStreams(client, node);
  });
}
const balancer = createServer({ pauseOnConnect: true }, (client) => {
  client.on('error', () => {});
  balance(client);
});
await listen(balancer, { host, port: Number(port) });

process.once('SIGTERM', async () => {
  balancer.close();
  nats.kill();
  await Promise.all([database.stop(), bucket.close()]);
  process.exit(0);
});
process.stdout.write(
  `engines: ${JSON.stringify({
    DATABASE_URL: `postgres://pult:${databasePassword}@127.0.0.1:${databasePort}/pult`,
    NATS_URL: `nats://127.0.0.1:${natsPort}`,
    S3_BUCKET: 'pult',
    S3_ENDPOINT: `http://127.0.0.1:${bucketPort}`,
    S3_ACCESS_KEY_ID: 'S3RVER',
    S3_SECRET_ACCESS_KEY: 'S3RVER-S3RVER',
    SECRETS_FILE: join(dataDir, 'secrets.json'),
  })}\n`,
);
