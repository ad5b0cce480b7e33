import { lookup } from 'node:dns/promises';
import { createSecureContext, Server as TlsServer } from 'node:tls';
import { createOpenApiDocument } from '@pult/contract';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { closeServer } from './close-server.ts';
import type { Composition } from './composition.ts';
import { createAccountsFeature, createFirstAdministrator } from './features/accounts/index.ts';
import { createActivationService, registerActivationRoutes } from './features/activation/index.ts';
import { createAlertsFeature } from './features/alerts/index.ts';
import { createControllersFeature } from './features/controllers/index.ts';
import {
  createChallenges,
  createEnrolmentsRepository,
  createEnrolmentsService,
  createLinks,
  createLinkUpgradeHandler,
  createLoadShedding,
  createPresence,
  createPresenceRepository,
  registerDeviceRoutes,
  serveAgentFiles,
} from './features/devices/index.ts';
import { createDiagnosticsFeature } from './features/diagnostics/index.ts';
import { registerEnvironmentRoutes } from './features/environments/index.ts';
import { createGroupsFeature } from './features/groups/index.ts';
import { createMonitoringFeature } from './features/monitoring/index.ts';
import { createOrganizationsFeature } from './features/organizations/index.ts';
import { createTelemetryFeature } from './features/telemetry/index.ts';
import { createTunnelsFeature } from './features/tunnels/index.ts';
import { createArchiveStore } from './platform/archives/index.ts';
import { createAuditLog } from './platform/audit.ts';
import { systemClock } from './platform/clock.ts';
import { createEncryptor } from './platform/encryptor.ts';
import { Events } from './platform/events/events.ts';
import { createApi } from './platform/http/api.ts';
import { createApp, refuseUnknownApiPaths } from './platform/http/app.ts';
import { serveConsole } from './platform/http/console.ts';
import { serveHealth } from './platform/http/health.ts';
import { createHostServer, type HostServer } from './platform/http/host-server.ts';
import { createMapTiles } from './platform/http/map-tiles.ts';
import { createId } from './platform/ids.ts';
import type { RecurringJob } from './platform/jobs/jobs.ts';
import { createMailing } from './platform/mail/index.ts';

/**
 * New connections that the system keeps until they are taken. A fleet knocks together, and who finds the queue full knocks
 * again only a second later, and then three.
 */
const backlog = 4096;

/** Builds the whole server out of its parts: nothing else makes one. Nothing runs until it listens. */
export async function composeServer(composition: Composition) {
  const { config, secrets, db, log, clock = systemClock, timing = {} } = composition;
  const { publicUrl, trustedProxies } = config.http;
  const events = new Events(log);
  const recordAudit = createAuditLog(db, clock);

  const encryptor = createEncryptor(secrets.encryptionKey);
  const mailing = createMailing({ config, db, encryptor, clock, log });

  // Accounts and organizations
  const { eventCommentMs } = timing;
  const people = { config, db, clock, events, recordAudit, outbox: mailing.outbox };
  const organizations = createOrganizationsFeature({ ...people, eventCommentMs });
  const accounts = createAccountsFeature({ ...people, secrets, encryptor, invites: organizations.invites });
  const { authenticate } = accounts;

  // Devices and controllers
  const enrolmentsRepository = createEnrolmentsRepository(db);
  const challenges = createChallenges(clock);
  const links = createLinks(clock);
  const enrolments = createEnrolmentsService({
    repository: enrolmentsRepository,
    challenges,
    activationKey: secrets.activationKey,
    clock,
    publicUrl,
    serverUrls: config.agents.urls,
    enrollmentKey: config.agents.enrollmentKey,
  });
  const presence = createPresence({
    repository: createPresenceRepository(db),
    links,
    events,
    log,
    clock,
    startGraceMs: timing.startGraceMs,
    touchIntervalMs: timing.touchIntervalMs,
  });
  const { access } = organizations;
  const controllersFeature = createControllersFeature({
    db,
    clock,
    access,
    releaseEnrolment: enrolments.release,
    events,
    recordAudit,
    publicUrl,
  });
  const controllers = controllersFeature.service;
  const groups = createGroupsFeature({ db, access, events, recordAudit, clock });
  const activation = createActivationService({
    db,
    enrolments,
    links,
    controllers,
    events,
    recordAudit,
    clock,
    maxControllers: config.settings.maxActivatedControllers,
  });

  // Diagnostics
  const { s3, maxBytes, quotaBytes, ...rules } = config.diagnostics;
  const archives = composition.archives ?? (await createArchiveStore({ dataDir: config.data.dir, s3 }));
  const diagnostics = createDiagnosticsFeature({
    db,
    store: archives,
    limits: { maxBytes, quotaBytes },
    rules,
    controllers,
    links,
    events,
    recordAudit,
    log,
    clock,
    timing: timing.diagnostics,
  });

  const telemetry = createTelemetryFeature({
    db,
    links,
    controllers,
    access,
    events,
    clock,
    log,
    config: config.metrics,
    timing: timing.telemetry,
  });

  const alerts = createAlertsFeature({
    db,
    encryptor,
    outbox: mailing.outbox,
    access,
    events,
    recordAudit,
    log,
    clock,
    publicUrl,
    allowsPrivateWebhooks: config.alerts.allowsPrivateWebhooks,
  });

  const tunnels = createTunnelsFeature({
    config,
    secrets,
    db,
    authenticate,
    sshKeys: accounts.sshKeys,
    controllers,
    access,
    links,
    events,
    recordAudit,
    log,
    clock,
    timing,
    tls: composition.tunnelTls ?? composition.tls,
  });

  const monitoring = createMonitoringFeature({
    config,
    secrets,
    db,
    authenticate,
    access,
    store: telemetry.store,
    events,
    log,
    clock,
    timing,
  });

  // HTTP
  let tunnelContext = composition.tunnelTls && createSecureContext(composition.tunnelTls);
  let hostServer: HostServer | undefined;
  const app: FastifyInstance = await createApp({
    log,
    trustedProxies,
    publicUrl,
    ...(config.app.sentryDsn ? { reportsTo: new URL(config.app.sentryDsn).origin } : {}),
    ...(config.settings.mapStyleUrl
      ? { mapOrigin: new URL(config.settings.mapStyleUrl, publicUrl).origin }
      : {}),
    serverFactory: (handler) => {
      hostServer = createHostServer(handler, {
        tls: composition.tls,
        headersTimeoutMs: timing.headersTimeoutMs,
        bodyTimeoutMs: timing.bodyTimeoutMs,
        contextFor: (name) => (tunnels.isTunnelName(name) ? tunnelContext : undefined),
        hosts: [tunnels.endpoints, ...monitoring.hosts, createLoadShedding(enrolments.admission)],
        upgrades: [
          createLinkUpgradeHandler({
            enrolments,
            repository: enrolmentsRepository,
            links,
            events,
            log,
            clock,
            metricsIntervalSeconds: config.metrics.intervalSeconds,
            linkOptions: timing.link,
          }),
          ...tunnels.upgrades,
        ],
      });
      return hostServer.server;
    },
  });
  const api = createApi(app, {
    authenticate,
    requireConfirmation: accounts.requireConfirmation,
    recordRefusal: organizations.recordRefusal,
    checkAnswers: composition.checkAnswers ?? false,
  });
  const mapTiles = createMapTiles(config.data.dir);
  registerEnvironmentRoutes(api, config, { mapTiles, jumpHost: tunnels.jumpHost });
  accounts.registerRoutes(api);
  organizations.registerRoutes(api, authenticate);
  controllersFeature.registerRoutes(api);
  groups.registerRoutes(api);
  registerActivationRoutes(api, activation);
  telemetry.registerRoutes(api);
  tunnels.registerRoutes(api);
  diagnostics.registerRoutes(api);
  await monitoring.registerRoutes(app, api);
  alerts.registerRoutes(api);
  api.complete();
  await registerDeviceRoutes(app, { challenges, enrolments, clock });
  const { serviceName, onPremiseVersion: version, serviceStatusUrl } = config.settings;
  const openApi = createOpenApiDocument({ title: `${serviceName} API`, version });
  app.get('/api/v1/openapi.json', async () => openApi);
  refuseUnknownApiPaths(app);
  mapTiles.serve(app);
  serveHealth(app, async () => {
    const answer = sql`select 1`.execute(db).then(
      () => true,
      () => false,
    );
    return answer;
  });
  if (composition.agentDirectory) {
    await serveAgentFiles(app, { directory: composition.agentDirectory, publicUrl });
  }
  if (composition.consoleDirectory) {
    await serveConsole(app, {
      directory: composition.consoleDirectory,
      publicUrl,
      meta: {
        SERVICE_NAME: serviceName,
        SERVICE_STATUS_URL: serviceStatusUrl ?? '',
        SENTRY_DSN: config.app.sentryDsn ?? '',
        APP_ENV: config.app.env,
        VERSION: version,
      },
    });
  }
  await app.ready();

  const jobs: RecurringJob[] = [
    ...mailing.jobs,
    ...accounts.jobs,
    ...organizations.jobs,
    ...telemetry.jobs,
    ...controllersFeature.jobs,
    ...diagnostics.jobs,
    ...monitoring.jobs,
    ...tunnels.jobs,
    ...alerts.jobs,
    { name: 'delete-forgotten-enrolments', schedule: '27 3 * * *', run: enrolments.deleteForgotten },
  ];

  return {
    app,
    links,
    fileDownloads: tunnels.downloads,
    liveTunnels: tunnels.live,
    events,
    jobs,
    /** Those that wait in the queue until something is to be done. */
    queuedJobs: [...mailing.queuedJobs, ...alerts.queuedJobs],
    mailing,
    archives,

    /** The first account with its organization, when there is none; see createFirstAdministrator. */
    createFirstAdministrator: () =>
      createFirstAdministrator(
        { db, repository: accounts.repository, clock },
        config.admin,
        (transaction, ownerId) =>
          organizations.createOwnedOrganization(transaction, { id: createId(), name: serviceName, ownerId }),
      ),

    /** What the server sets right before it listens: what another run of it has left. */
    recoverFromCrash: () => Promise.all([diagnostics.start(), tunnels.recoverFromCrash()]),

    /** Resolves to the port that is listened on. */
    async listen(): Promise<number> {
      await this.recoverFromCrash();
      tunnels.live.start();
      presence.start();
      telemetry.start();
      monitoring.start();
      // As an address: for the name `localhost` Fastify would make a second server beside the one we hold.
      const { address: host } = await lookup(config.http.host);
      await app.listen({ host, port: config.http.port, backlog });
      await tunnels.endpoints.start();
      await tunnels.jumpHost.listen();
      const address = app.server.address();
      return typeof address === 'object' && address !== null ? address.port : config.http.port;
    },

    /** Takes a renewed certificate for the connections to come. Throws when key and certificate differ. */
    renewTls(tls: { cert: string; key: string }): void {
      if (app.server instanceof TlsServer) app.server.setSecureContext(tls);
      if (!composition.tunnelTls) tunnels.endpoints.renewTls(tls);
    },

    /** The same for the tunnel hosts or ports, where theirs is another. */
    renewTunnelTls(tls: { cert: string; key: string }): void {
      tunnelContext = createSecureContext(tls);
      tunnels.endpoints.renewTls(tls);
    },

    /** See closeServer. */
    close: (graceMs: number): Promise<void> =>
      closeServer(
        { app, hostServer, events, presence, links, tunnels, monitoring, diagnostics, telemetry },
        graceMs,
      ),
  };
}
export type ComposedServer = Awaited<ReturnType<typeof composeServer>>;
