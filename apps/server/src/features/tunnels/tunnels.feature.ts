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
import type { OrganizationAccess } from '../organizations/index.ts';
import { registerFileDownloads } from './files/file-downloads.routes.ts';
import { createFileDownloads } from './files/file-downloads.ts';
import { createFilePanel } from './files/file-panel.ts';
import type { EndpointStrategy } from './http-tunnel/endpoint-strategy.ts';
import { createTunnelPortsRepository } from './http-tunnel/ports/tunnel-ports.repository.ts';
import { createTunnelPorts } from './http-tunnel/ports/tunnel-ports.ts';
import { createTunnelNames } from './http-tunnel/tunnel-names.ts';
import { createTunnelProxy } from './http-tunnel/tunnel-proxy.ts';
import { createJumpHost } from './jump/jump-host.ts';
import { createLiveTunnelsRepository } from './live-tunnels.repository.ts';
import { createLiveTunnels } from './live-tunnels.ts';
import { registerTunnelListRoutes } from './records/tunnel-list.routes.ts';
import { createTunnelListService } from './records/tunnel-list.service.ts';
import { createTunnelRecordsRepository } from './records/tunnel-records.repository.ts';
import { createTunnelRecords } from './records/tunnel-records.ts';
import { createServicesRepository } from './services/services.repository.ts';
import { registerServiceRoutes } from './services/services.routes.ts';
import { createServicesService } from './services/services.service.ts';
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
  tunnelPortSweepMs?: number;
}

/** Connections to a controller, put together: tunnel hosts, terminals and their files, raw SSH, and the jump host. */
export function createTunnelsFeature(dependencies: {
  config: Config;
  secrets: Pick<Secrets, 'sshHostKey'>;
  db: Database;
  authenticate: Authenticate;
  sshKeys: SshKeysService;
  controllers: ControllersService;
  access: OrganizationAccess;
  links: Links;
  events: Events;
  recordAudit: RecordAuditEvent;
  log: Logger;
  clock: Clock;
  timing: TunnelTiming;
  /** For ports of their own; PEM texts. */
  tls?: { cert: string; key: string } | undefined;
}) {
  const { config, db, authenticate, controllers, links, events, recordAudit, log, clock, timing } =
    dependencies;
  const { publicUrl } = config.http;
  const isTotpEnabled = config.settings.totpAuthEnabled;
  const repository = createTunnelsRepository(db, { isTotpEnabled });
  const hosts = createTunnelHosts(config.tunnels);
  const recordsRepository = createTunnelRecordsRepository(db);
  const records = createTunnelRecords({ repository: recordsRepository, clock, log });
  const live = createLiveTunnels({
    repository: createLiveTunnelsRepository(db, { isTotpEnabled }),
    records,
    isLinked: (enrolmentId) => links.get(enrolmentId) !== undefined,
    events,
    log,
    clock,
    checkIntervalMs: timing.tunnelCheckMs,
  });
  const list = createTunnelListService({
    repository: recordsRepository,
    records,
    live,
    access: dependencies.access,
    recordAudit,
    clock,
  });
  const tunnels = createTunnelsService({
    repository,
    controllers,
    links,
    // Called later: the strategy itself needs the tunnels.
    openInterface: (target, port) => endpoints.open(target, port),
    publicUrl,
    recordAudit,
    clock,
  });
  const addressOf = createClientAddress(config.http.trustedProxies);
  const proxy = createTunnelProxy({
    tunnels,
    links,
    live,
    events,
    log,
    clock,
    publicUrl,
    addressOf,
    answerTimeoutMs: timing.tunnelAnswerMs,
  });
  const ports = () =>
    createTunnelPorts({
      proxy,
      repository: createTunnelPortsRepository(db),
      log,
      clock,
      host: config.http.host,
      range: config.tunnels.ports,
      publicUrl,
      tls: dependencies.tls,
      sweepMs: timing.tunnelPortSweepMs,
    });
  const endpoints: EndpointStrategy =
    config.tunnels.mode === 'ports' ? ports() : createTunnelNames({ hosts, proxy });
  const services = createServicesService({
    db,
    repository: createServicesRepository(db),
    controllers,
    events,
    recordAudit,
    clock,
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
    live,
    recordAudit,
    log,
    clock,
    handshakeTimeoutMs: timing.sshHandshakeMs,
  });

  const jobs: RecurringJob[] = [
    { name: 'delete-expired-tunnels', schedule: '17 * * * *', run: tunnels.deleteExpired },
    { name: 'delete-forgotten-tunnels', schedule: '57 3 * * *', run: list.deleteForgotten },
  ];

  return {
    endpoints,
    /** Whether a TLS client asks for the host of a web interface by this name. */
    isTunnelName: hosts.isTunnelName,
    upgrades: [terminal, createSshStream({ ...ssh, addressOf }), filePanel],
    jumpHost,
    live,
    /** To be called before anything is opened: writes down what an earlier run of the server has left open. */
    recoverFromCrash: list.endLeft,
    /** For tests: what a terminal has offered for download. */
    downloads,
    jobs,
    registerRoutes(api: Api): void {
      registerTunnelListRoutes(api, list, publicUrl);
      registerTunnelRoutes(api, tunnels);
      registerServiceRoutes(api, services);
      registerFileDownloads(api, { controllers, downloads });
    },
  };
}
export type TunnelsFeature = ReturnType<typeof createTunnelsFeature>;
