import { createSecureContext } from 'node:tls';
import type { PassedCalls } from '../../platform/cluster/link/passed-calls.ts';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createClientAddress } from '../../platform/http/client-address.ts';
import type { TlsPair } from '../../platform/http/tls-files.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { createRateLimiter } from '../../platform/rate-limit.ts';
import type { SshListener } from '../../platform/ssh/ssh-listener.ts';
import type { Authenticate, SshKeysService } from '../accounts/index.ts';
import type { DeviceRouter } from '../devices/index.ts';
import { createEndpointsRepository } from './endpoints/endpoints.repository.ts';
import { registerEndpointRoutes } from './endpoints/endpoints.routes.ts';
import { createEndpointsService } from './endpoints/endpoints.service.ts';
import { registerFileDownloads } from './files/file-downloads.routes.ts';
import { createFileDownloads, type FileDownloads } from './files/file-downloads.ts';
import { createFilePanel } from './files/file-panel.ts';
import { createGuestLinksRepository } from './guests/guest-links.repository.ts';
import { createFindGuest, createGuestLogin } from './guests/guest-login.ts';
import { registerGuestRoutes } from './guests/guests.routes.ts';
import { createGuestsService } from './guests/guests.service.ts';
import { createTunnelHosts } from './http-tunnel/address.ts';
import { createTunnelPortsRepository } from './http-tunnel/ports/tunnel-ports.repository.ts';
import { createTunnelPorts } from './http-tunnel/ports/tunnel-ports.ts';
import { createHttpTunnelKind, createTunnelNames, type EndpointStrategy } from './http-tunnel/strategy.ts';
import { createTlsNotes } from './http-tunnel/tls-notes.ts';
import { createTunnelProxy } from './http-tunnel/tunnel-proxy.ts';
import { createJumpHost } from './jump/jump-host.ts';
import { createLiveTunnelsRepository } from './live-tunnels.repository.ts';
import { createLiveTunnels, type LiveTunnels } from './live-tunnels.ts';
import { createPortRights } from './port-rights.ts';
import { registerTunnelListRoutes } from './records/tunnel-list.routes.ts';
import { createTunnelListService, type TunnelListService } from './records/tunnel-list.service.ts';
import { createTunnelRecordsRepository } from './records/tunnel-records.repository.ts';
import { createTunnelRecords } from './records/tunnel-records.ts';
import { createOldAlgorithmsRepository } from './ssh/old-algorithms.repository.ts';
import { createSshTunnelKind } from './ssh/ssh-kind.ts';
import { createGuestTerminal, createTerminal } from './ssh/terminal.ts';
import { createTerminalSessions } from './ssh/terminal-sessions.ts';
import { createTcpTunnelKind } from './tcp/tcp-kind.ts';
import type { TunnelKinds } from './tunnel-kind.ts';
import { createTunnelMetrics } from './tunnels.metrics.ts';
import { createTunnelsRepository } from './tunnels.repository.ts';
import { registerTunnelRoutes } from './tunnels.routes.ts';
import { createTunnelsService } from './tunnels.service.ts';
import type { UnreadLimits } from './unread-budget.ts';
import { createSavedBytes } from './web-cache/saved-bytes.ts';
import { createWebCacheRepository } from './web-cache/web-cache.repository.ts';
import { registerWebCacheRoutes } from './web-cache/web-cache.routes.ts';
import { createWebCacheService } from './web-cache/web-cache.service.ts';
import { createWebCache } from './web-cache/web-cache.ts';
import type { WorkLimits } from './work-budget.ts';

/** Milliseconds; each has its own default where it is used. */
export interface TunnelTiming {
  tunnelAnswerMs?: number;
  tunnelCheckMs?: number;
  terminalResumeMs?: number;
  terminalAliveMs?: number;
  tunnelPortSweepMs?: number;
}

interface Dependencies {
  authenticate: Authenticate;
  sshKeys: SshKeysService;
  sshListener: SshListener;
  router: DeviceRouter;
  /** Where there are other nodes. */
  passedCalls: PassedCalls | undefined;
  timing: TunnelTiming;
  unreadLimits?: UnreadLimits | undefined;
  workLimits?: WorkLimits | undefined;
  /** PEM texts: the server's certificate, and that of the tunnel hosts or ports where it is another. */
  tls?: TlsPair | undefined;
  tunnelTls?: TlsPair | undefined;
}

export interface TunnelsFeature extends Feature {
  live: LiveTunnels;
  listTunnels: TunnelListService['listTunnels'];
  /** For tests: what a terminal has offered for download. */
  downloads: FileDownloads;
}

/** Connections to a controller, put together: tunnel hosts, terminals and their files, raw SSH, and the jump host. */
export function createTunnelsFeature(core: Core, dependencies: Dependencies): TunnelsFeature {
  const { db, node, events, recordAudit, log, clock, tracing, publicUrl, config } = core;
  const { authenticate, router, passedCalls, timing, tls, tunnelTls } = dependencies;
  const isTotpEnabled = config.settings.totpAuthEnabled;
  const portRights = createPortRights({ added: config.tunnels.reservedPorts });
  const holding = { isTotpEnabled, reservedPorts: portRights.reserved };
  const repository = createTunnelsRepository(db, holding);
  const hosts = createTunnelHosts(config.tunnels);
  const recordsRepository = createTunnelRecordsRepository(db, node);
  const records = createTunnelRecords({ repository: recordsRepository, clock, node, log });
  const live = createLiveTunnels({
    repository: createLiveTunnelsRepository(db, holding),
    records,
    isLinked: (enrolmentId) => router.get(enrolmentId) !== undefined,
    events,
    log,
    clock,
    checkIntervalMs: timing.tunnelCheckMs,
    unreadLimits: dependencies.unreadLimits,
    workLimits: dependencies.workLimits,
  });
  node.onLost(live.cutAll);
  const list = createTunnelListService({
    repository: recordsRepository,
    records,
    live,
    clock,
    node,
  });
  const tunnels = createTunnelsService(core, {
    repository,
    ports: portRights,
    router,
    // Called later: the kinds themselves need the tunnels.
    getKind: (protocol) => kinds[protocol],
  });
  const addressOf = createClientAddress(config.http.trustedProxies);
  const cacheRepository = createWebCacheRepository(db);
  const saved = createSavedBytes({ repository: cacheRepository, log });
  const maxBytes = config.tunnels.webCacheBytes;
  const cache = createWebCache({ maxBytes, events, clock, onSaved: saved.count });
  const cacheService = createWebCacheService(core, {
    repository: cacheRepository,
    saved,
    isAvailable: maxBytes > 0,
  });
  const endpointsRepository = createEndpointsRepository(db);
  const proxy = createTunnelProxy({
    tunnels,
    router,
    live,
    cache,
    noteTls: createTlsNotes({ repository: endpointsRepository, events, log }),
    events,
    log,
    tracing,
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
      tls: tunnelTls ?? tls,
      sweepMs: timing.tunnelPortSweepMs,
    });
  const endpointStrategy: EndpointStrategy =
    config.tunnels.mode === 'ports' ? ports() : createTunnelNames({ hosts, proxy });
  const namedEndpoints = createEndpointsService(core, {
    repository: endpointsRepository,
    ports: portRights,
  });

  const ssh = { authenticate, tunnels, router, live, log, tracing, node, passedCalls };
  const sessions = createTerminalSessions();
  const downloads = createFileDownloads();
  const terminalDependencies = {
    ...ssh,
    sessions,
    repository,
    oldAlgorithms: createOldAlgorithmsRepository(db),
    recordAudit,
    addressOf,
    resumeMs: timing.terminalResumeMs,
    aliveMs: timing.terminalAliveMs,
  };
  const terminal = createTerminal(terminalDependencies);
  const guestLinks = createGuestLinksRepository(db, holding);
  const guests = createGuestsService(core, {
    repository: guestLinks,
    tunnelsRepository: repository,
    tunnels,
    ports: portRights,
    rateLimiter: createRateLimiter(db, clock),
  });
  const findGuest = createFindGuest({ repository: guestLinks, clock, publicUrl });
  const guestTerminal = createGuestTerminal(terminalDependencies, createGuestLogin(findGuest));
  const filePanel = createFilePanel({ ...ssh, sessions, downloads, recordAudit, addressOf });

  const kinds: TunnelKinds = {
    http: createHttpTunnelKind(endpointStrategy),
    ssh: createSshTunnelKind(publicUrl, [terminal, guestTerminal, filePanel], { ...ssh, addressOf }),
    tcp: createTcpTunnelKind(publicUrl, { ...ssh, addressOf }),
  };

  const jumpHost = createJumpHost({
    config,
    listener: dependencies.sshListener,
    sshKeys: dependencies.sshKeys,
    tunnels,
    router,
    live,
    recordAudit,
    log,
    tracing,
  });
  dependencies.sshListener.add(jumpHost);

  const jobs: RecurringJob[] = [
    { name: 'delete-expired-tunnels', schedule: '17 * * * *', run: tunnels.deleteExpired },
    { name: 'delete-ended-guest-links', schedule: '27 * * * *', run: guests.deleteEnded },
    { name: 'delete-forgotten-tunnels', schedule: '57 3 * * *', run: list.deleteForgotten },
  ];

  let endCache = () => {};
  let tunnelContext = tunnelTls && createSecureContext(tunnelTls);

  return {
    name: 'tunnels',
    listTunnels: list.listTunnels,
    hosts: [endpointStrategy],
    upgrades: Object.values(kinds).flatMap(({ upgrades }) => upgrades),
    secureContextFor: (serverName) => (hosts.isTunnelName(serverName) ? tunnelContext : undefined),
    renewTls(renewed) {
      if (renewed.tunnelTls) {
        tunnelContext = createSecureContext(renewed.tunnelTls);
        endpointStrategy.renewTls(renewed.tunnelTls);
      } else if (renewed.tls && !tunnelTls) endpointStrategy.renewTls(renewed.tls);
    },
    live,
    downloads,
    metrics: createTunnelMetrics(live),
    jobs,
    routes({ api }) {
      registerTunnelListRoutes(api, { list, passedCalls, publicUrl });
      registerTunnelRoutes(api, tunnels);
      registerEndpointRoutes(api, namedEndpoints);
      registerGuestRoutes(api, guests, { publicUrl, findGuest });
      registerWebCacheRoutes(api, cacheService);
      registerFileDownloads(api, { downloads, node, passedCalls });
    },
    recoverFromCrash: list.endLeft,
    start() {
      endCache = cache.start();
      saved.start();
      live.start();
    },
    listen: () => endpointStrategy.start(),
    drain: () => endpointStrategy.drain(),
    whenIdle: endpointStrategy.whenIdle,
    async stop() {
      const written = live.stop();
      endpointStrategy.close();
      endCache();
      await Promise.all([written, saved.stop(), jumpHost.whenWritten()]);
    },
  };
}
