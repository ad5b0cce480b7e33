import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import { createClientAddress } from '../../platform/http/client-address.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Logger } from '../../platform/log.ts';
import type { Authenticate, SshKeysService } from '../accounts/index.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { Links } from '../devices/index.ts';
import { registerFileDownloads } from './files/file-downloads.routes.ts';
import { createFileDownloads } from './files/file-downloads.ts';
import { createFilePanel } from './files/file-panel.ts';
import { createTunnelHost } from './http-tunnel/tunnel-host.ts';
import { createJumpRepository } from './jump/jump.repository.ts';
import { createJumpHost } from './jump/jump-host.ts';
import { createLiveTunnels } from './live-tunnels.ts';
import { createSshStream } from './ssh/ssh-stream.ts';
import { createTerminal } from './ssh/terminal.ts';
import { createTerminalSessions } from './ssh/terminal-sessions.ts';
import { createTunnelHosts } from './tunnel-hosts.ts';
import { createTunnelsRepository } from './tunnels.repository.ts';
import { registerTunnelRoutes } from './tunnels.routes.ts';
import { createTunnelsService } from './tunnels.service.ts';

/** Milliseconds; each has its own default where it is used. */
export interface TunnelTiming {
  tunnelAnswerMs?: number;
  tunnelCheckMs?: number;
  terminalResumeMs?: number;
  terminalAliveMs?: number;
  sshHandshakeMs?: number;
}

/** The ways to a controller, put together: tunnel hosts, terminals and their files, raw SSH, and the jump host. */
export function createTunnelsFeature(dependencies: {
  config: Config;
  secrets: Pick<Secrets, 'sshHostKey'>;
  db: Database;
  authenticate: Authenticate;
  sshKeys: SshKeysService;
  controllers: ControllersService;
  links: Links;
  events: Events;
  recordAudit: RecordAuditEvent;
  log: Logger;
  clock: Clock;
  timing: TunnelTiming;
}) {
  const { config, db, authenticate, controllers, links, events, recordAudit, log, clock, timing } =
    dependencies;
  const { publicUrl } = config.http;
  const isTotpKnown = config.settings.totpAuthEnabled;
  const repository = createTunnelsRepository(db, { isTotpKnown });
  const hosts = createTunnelHosts(config.tunnels);
  const watching = { events, log, clock, checkIntervalMs: timing.tunnelCheckMs };
  const live = createLiveTunnels({ ...watching, repository });
  const tunnels = createTunnelsService({
    repository,
    controllers,
    links,
    hosts,
    publicUrl,
    recordAudit,
    clock,
  });
  const addressOf = createClientAddress(config.http.trustedProxies);
  const tunnelHost = createTunnelHost({
    tunnels,
    links,
    live,
    hosts,
    events,
    log,
    clock,
    publicUrl,
    addressOf,
    answerTimeoutMs: timing.tunnelAnswerMs,
  });

  const ssh = { authenticate, tunnels, links, live, log };
  const sessions = createTerminalSessions();
  const downloads = createFileDownloads();
  const terminal = createTerminal({
    ...ssh,
    sessions,
    repository,
    recordAudit,
    addressOf,
    resumeMs: timing.terminalResumeMs,
    aliveMs: timing.terminalAliveMs,
  });
  const filePanel = createFilePanel({ ...ssh, sessions, downloads, recordAudit, addressOf });

  const jumpHost = createJumpHost({
    config,
    hostKey: dependencies.secrets.sshHostKey,
    sshKeys: dependencies.sshKeys,
    tunnels,
    links,
    live: createLiveTunnels({ ...watching, repository: createJumpRepository(db, { isTotpKnown }) }),
    recordAudit,
    log,
    clock,
    handshakeTimeoutMs: timing.sshHandshakeMs,
  });

  const jobs: RecurringJob[] = [
    { name: 'delete-expired-tunnels', schedule: '17 * * * *', run: tunnels.deleteExpired },
  ];

  return {
    tunnelHost,
    upgrades: [terminal, createSshStream(ssh), filePanel],
    jumpHost,
    live,
    /** For tests: what a terminal has offered for download. */
    downloads,
    jobs,
    registerRoutes(api: Api): void {
      registerTunnelRoutes(api, tunnels);
      registerFileDownloads(api, { controllers, downloads });
    },
  };
}
export type TunnelsFeature = ReturnType<typeof createTunnelsFeature>;
