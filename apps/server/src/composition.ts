import type { FirstLoginTiming } from './features/accounts/index.ts';
import type { CertificatesTiming } from './features/certificates/index.ts';
import type { DeviceTiming } from './features/devices/index.ts';
import type { ArchiveStore, CollectionTiming } from './features/diagnostics/index.ts';
import type { InstallationTiming } from './features/installation/index.ts';
import type { MonitoringTiming } from './features/monitoring/index.ts';
import type { TelemetryTiming } from './features/telemetry/index.ts';
import type { TrafficTiming } from './features/traffic/index.ts';
import type { TunnelTiming, UnreadLimits, WorkLimits } from './features/tunnels/index.ts';
import type { HostServerOptions } from './platform/http/host-server.ts';
import type { PlatformOptions, PlatformTiming } from './platform/platform.ts';
import type { TokenRate } from './platform/token-buckets.ts';

/** What a server is built from. Of the database of one's own the disk is looked for in the data folder; traces there are none unless told. */
export interface Composition
  extends Pick<PlatformOptions, 'config' | 'secrets' | 'db' | 'pool' | 'log' | 'tls' | 'tunnelTls'>,
    Partial<Pick<PlatformOptions, 'databaseDisk' | 'clock' | 'tracing'>> {
  /** The built console; without it the server is an API only. */
  consoleDirectory?: string | undefined;
  /** The built agent with its unit and script; without it the server hands out none. */
  agentDirectory?: string | undefined;
  /** The built manual; without it there is none at /help/. */
  manualDirectory?: string | undefined;
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
    TunnelTiming,
    MonitoringTiming,
    TrafficTiming,
    Pick<HostServerOptions, 'headersTimeoutMs' | 'bodyTimeoutMs'>,
    PlatformTiming {
  eventCommentMs?: number;
  installation?: InstallationTiming;
  telemetry?: TelemetryTiming;
  diagnostics?: Partial<CollectionTiming>;
}
