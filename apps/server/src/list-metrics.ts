import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { composeServer } from './compose.ts';
import { loadConfig } from './config/config.ts';
import { readEnvironment } from './config/env.ts';
import { connectDatabase } from './platform/db/connect.ts';
import { createLog } from './platform/log.ts';
import type { Metric } from './platform/prometheus/metric.ts';

/** Every metric of a server, in the order of its features, for documentation: one is put together and never started. */
export async function listMetrics(): Promise<readonly Metric[]> {
  const env = { DATA_DIR: tmpdir(), VICTORIAMETRICS_URL: 'http://127.0.0.1:1' };
  const log = createLog('silent');
  const newKey = () => generateKeyPairSync('ed25519').privateKey;
  // Put together, a server asks its database for nothing.
  const { db, pool } = connectDatabase({ url: 'postgres://127.0.0.1:1/none' }, log);
  const { features } = await composeServer({
    config: loadConfig(readEnvironment({ env, directory: null }), { version: '' }),
    secrets: {
      activationKey: randomBytes(32),
      encryptionKey: randomBytes(32),
      jwtPrivateKey: newKey(),
      sshHostKey: newKey(),
      agentUpdateKey: newKey(),
      agentUpdateRotations: [],
      databasePassword: '',
    },
    db,
    pool,
    log,
  });
  return features.flatMap(({ metrics = [] }) => metrics);
}
