import type { Config } from '../config/config.ts';
import type { Secrets } from '../config/secrets.ts';
import { createAccess } from './access/index.ts';
import { createAuditLog } from './audit.ts';
import type { Clock } from './clock.ts';
import { createNode, type NodeTiming } from './cluster/index.ts';
import { createOtherNodes } from './cluster/link/other-nodes.ts';
import { createAskOtherVersion } from './cluster/link/other-version.ts';
import { createPassedCalls } from './cluster/link/passed-calls.ts';
import { createNodeMetrics } from './cluster/node-metrics.ts';
import type { Core } from './core.ts';
import { createDatabaseMetrics, type PoolState } from './db/database-metrics.ts';
import type { Database } from './db/schema.ts';
import { createDeliveries } from './delivery/index.ts';
import { createDiskGuard, type DatabaseDisk } from './disk-guard.ts';
import { createDiskMetrics } from './disk-space.ts';
import { createEncryptor } from './encryptor.ts';
import { Events } from './events/events.ts';
import type { Feature } from './feature.ts';
import { createCertificateMetrics } from './http/certificate-metrics.ts';
import { createClientAddress } from './http/client-address.ts';
import { createHealth } from './http/health.ts';
import { createRequestMetrics } from './http/request-metrics.ts';
import type { TlsPair } from './http/tls-files.ts';
import { createJobQueue } from './jobs/job-queue.ts';
import type { Logger } from './log.ts';
import { createMailing } from './mail/index.ts';
import { createRateLimits } from './rate-limit.ts';
import { createSshListener, type SshTiming } from './ssh/ssh-listener.ts';
import type { Tracing } from './tracing/tracing.ts';

export interface PlatformTiming extends SshTiming {
  node?: NodeTiming;
  diskGuardMs?: number;
}

export interface PlatformOptions {
  config: Config;
  secrets: Secrets;
  version: string;
  db: Database;
  /** The connections under `db`, for those who look at them. */
  pool: PoolState;
  /** Undefined where the database is somebody else’s. */
  databaseDisk: DatabaseDisk | undefined;
  log: Logger;
  clock: Clock;
  tracing: Tracing;
  /** PEM texts, read by whoever watches the files. */
  tls?: TlsPair | undefined;
  /** Of the tunnel hosts or ports, where it is another. */
  tunnelTls?: TlsPair | undefined;
  countLinks: () => number;
  /** Of what another node has left that is gone. */
  clean: () => Promise<void>;
  timing: PlatformTiming;
}

/** What stands below the features: what each of them may use, and what the server has without any. */
export async function createPlatform(options: PlatformOptions) {
  const { config, secrets, version, db, log, clock, tracing, timing } = options;
  const events = new Events(log);
  const node = createNode({
    settings: config.nodes,
    installationKey: secrets.encryptionKey,
    version,
    db,
    log,
    countLinks: options.countLinks,
    clean: options.clean,
    timing: timing.node ?? {},
  });
  const { publicUrl, trustedProxies } = config.http;
  const { record: recordAudit, observe: observeAudit } = createAuditLog(db, clock);
  const access = createAccess(db);
  const encryptor = createEncryptor(secrets.encryptionKey);
  const diskGuard = createDiskGuard({ disk: options.databaseDisk, log, everyMs: timing.diskGuardMs });
  const deliveries = createDeliveries({ db, clock, log, encryptor, diskGuard });
  const mailing = createMailing({ publicUrl, config, deliveries });
  const basics = { db, clock, events, log, tracing, node, publicUrl, config, secrets };
  const { mail } = mailing;
  const core: Core = { ...basics, access, recordAudit, encryptor, diskGuard, deliveries, mail };

  const nodes = config.nodes && (await createOtherNodes(core, { node, settings: config.nodes }));
  const passedCalls =
    nodes &&
    createPassedCalls({
      link: nodes.link,
      findAddress: node.findAddress,
      addressOf: createClientAddress(trustedProxies),
    });
  const certificates = createCertificateMetrics({ tls: options.tls, tunnelTls: options.tunnelTls });
  const features: readonly Feature[] = [
    createBuildMetrics(version),
    diskGuard,
    ...(nodes ? [nodes] : []),
    createRequestMetrics(),
    certificates,
    createDiskMetrics({ dataDir: config.data.dir }),
    createDatabaseMetrics({ db, pool: options.pool }),
    createJobQueue(core),
    createNodeMetrics(core),
    deliveries,
    mailing,
    createRateLimits(core),
  ];
  return {
    core,
    mailing,
    /** In the order of their start: below all others. */
    features,
    observeAudit,
    nodes,
    passedCalls,
    askOtherVersion: createAskOtherVersion({ passedCalls, listNodes: node.list, version }),
    health: createHealth(core, () => nodes?.isCutOff ?? false),
    listCertificates: certificates.list,
    sshListener: createSshListener(core, { config, hostKey: secrets.sshHostKey, timing }),
  };
}

/** Which program runs. */
function createBuildMetrics(version: string): Feature {
  return {
    name: 'build',
    metrics: [
      {
        name: 'pult_build_info',
        help: 'Versions of the server and of its Node, as labels',
        type: 'gauge',
        labels: ['version', 'node'],
        read: () => [{ labels: { version, node: process.versions.node }, value: 1 }],
      },
    ],
  };
}
