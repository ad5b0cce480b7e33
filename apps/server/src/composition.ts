import type { Config } from './config/config.ts';
import type { Secrets } from './config/secrets.ts';
import type { FirstLoginTiming } from './features/accounts/index.ts';
import type { CertificatesTiming } from './features/certificates/index.ts';
import type { DeviceTiming } from './features/devices/index.ts';
import type { ArchiveStore, CollectionTiming } from './features/diagnostics/index.ts';
import type { InstallationTiming } from './features/installation/index.ts';
import type { MonitoringTiming } from './features/monitoring/index.ts';
import type { TelemetryTiming } from './features/telemetry/index.ts';
import type { TrafficTiming } from './features/traffic/index.ts';
import type { TunnelTiming, UnreadLimits, WorkLimits } from './features/tunnels/index.ts';
import type { Clock } from './platform/clock.ts';
import type { NodeTiming } from './platform/cluster/index.ts';
import type { PoolState } from './platform/db/database-metrics.ts';
import type { Database } from './platform/db/schema.ts';
import type { DatabaseDisk } from './platform/disk-guard.ts';
import type { TlsPair } from './platform/http/tls-files.ts';
import type { Logger } from './platform/log.ts';
import type { SshTiming } from './platform/ssh/ssh-listener.ts';
import type { TokenRate } from './platform/token-buckets.ts';
import type { Tracing } from './platform/tracing/tracing.ts';

/** What a server is built from. */
export interface Composition {
  config: Config;
  secrets: Secrets;
  db: Database;
  /** The connections under `db`, for those who look at them. */
  pool: PoolState;
  log: Logger;
  /** None unless told. */
  tracing?: Tracing;
  /** PEM texts, read by whoever watches the files. */
  tls?: TlsPair | undefined;
  /** Of the tunnel hosts or ports, where it is another. */
  tunnelTls?: TlsPair | undefined;
  /** The built console; without it the server is an API only. */
  consoleDirectory?: string | undefined;
  /** The built agent with its unit and script; without it the server hands out none. */
  agentDirectory?: string | undefined;
  /** The built manual; without it there is none at /help/. */
  manualDirectory?: string | undefined;
  clock?: Clock;
  /** Instead of that of the embedded database, which is looked for in the data folder. */
  databaseDisk?: DatabaseDisk | undefined;
  /** Instead of the one that the configuration names. */
  archives?: ArchiveStore | undefined;
  /** Short times, for tests of what takes long. */
  timing?: Timing;
  /** Instead of the server's own, for tests that change a great deal at once, or little and meet them all the same. */
  writeRate?: TokenRate | undefined;
  /** How much may wait for people who do not read; the server's own unless told. */
  unreadLimits?: UnreadLimits | undefined;
  /** How much work short pieces of people may be; the server's own unless told. */
  workLimits?: WorkLimits | undefined;
  checkAnswers?: boolean;
}

/** Milliseconds; each has its own default where it is used. */
interface Timing
  extends CertificatesTiming,
    DeviceTiming,
    FirstLoginTiming,
    SshTiming,
    TunnelTiming,
    MonitoringTiming,
    TrafficTiming {
  eventCommentMs?: number;
  diskGuardMs?: number;
  installation?: InstallationTiming;
  node?: NodeTiming;
  telemetry?: TelemetryTiming;
  headersTimeoutMs?: number;
  bodyTimeoutMs?: number;
  diagnostics?: Partial<CollectionTiming>;
}
