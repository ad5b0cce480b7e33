import { closeServer } from './close-server.ts';
import type { Composition } from './composition.ts';
import { findDatabaseDisk } from './database-disk.ts';
import { examineInstallation } from './examine-installation.ts';
import { createAccountsFeature } from './features/accounts/index.ts';
import { type ActivationFeature, createActivationFeature } from './features/activation/index.ts';
import { createAgentUpdatesFeature } from './features/agent-updates/index.ts';
import { createAlertsFeature } from './features/alerts/index.ts';
import { createBackupsFeature } from './features/backups/backups.feature.ts';
import { createCertificatesFeature } from './features/certificates/index.ts';
import { createControllersFeature } from './features/controllers/index.ts';
import { createDevicesFeature } from './features/devices/index.ts';
import { createDiagnosticsFeature } from './features/diagnostics/index.ts';
import { createEnvironmentsFeature } from './features/environments/index.ts';
import { createGroupsFeature } from './features/groups/index.ts';
import { createInstallationFeature } from './features/installation/index.ts';
import { createMapFeature } from './features/map/index.ts';
import { createMonitoringFeature } from './features/monitoring/index.ts';
import { createOrganizationsFeature } from './features/organizations/index.ts';
import { createServiceAccountsFeature } from './features/service-accounts/index.ts';
import { createSignInFeature } from './features/sign-in/index.ts';
import { createTelemetryFeature } from './features/telemetry/index.ts';
import { createTrafficFeature } from './features/traffic/index.ts';
import { createTunnelsFeature } from './features/tunnels/index.ts';
import { createWebhooksFeature } from './features/webhooks/index.ts';
import { ownCommand, shortenCommand } from './own-command.ts';
import { createBuildMetrics } from './platform/build-metrics.ts';
import { systemClock } from './platform/clock.ts';
import { createCore } from './platform/core.ts';
import { createDatabaseMetrics } from './platform/db/database-metrics.ts';
import { createDeliveries } from './platform/delivery/index.ts';
import { createDiskGuard } from './platform/disk-guard.ts';
import { createDiskMetrics } from './platform/disk-space.ts';
import { createEncryptor } from './platform/encryptor.ts';
import { Events } from './platform/events/events.ts';
import type { Feature } from './platform/feature.ts';
import { createCertificateMetrics } from './platform/http/certificate-metrics.ts';
import { createClientAddress } from './platform/http/client-address.ts';
import { createConsole } from './platform/http/console.ts';
import { createHealth } from './platform/http/health.ts';
import { createHttp } from './platform/http/http.ts';
import { createOpenApi } from './platform/http/openapi.ts';
import { createRequestMetrics } from './platform/http/request-metrics.ts';
import type { RenewedTls } from './platform/http/tls-files.ts';
import { createJobQueue } from './platform/jobs/job-queue.ts';
import { createMailing } from './platform/mail/index.ts';
import { createOtherNodes } from './platform/node-link/other-nodes.ts';
import { createAskOtherVersion } from './platform/node-link/other-version.ts';
import { createPassedCalls, takePassedCalls } from './platform/node-link/passed-calls.ts';
import { createNode } from './platform/nodes/index.ts';
import { createNodeMetrics } from './platform/nodes/node-metrics.ts';
import { createPrometheus } from './platform/prometheus/prometheus.ts';
import { createRateLimits } from './platform/rate-limit.ts';
import { createSshListener } from './platform/ssh/ssh-listener.ts';
import { noTracing } from './platform/tracing/tracing.ts';
import { recoverFromCrash, renewTls, startServer } from './start-server.ts';
import { version } from './version.ts';

/** Builds the whole server out of its features: nothing else makes one. Nothing runs until it listens. */
export async function composeServer(composition: Composition) {
  const { config, secrets, db, log, clock = systemClock, tracing = noTracing, timing = {} } = composition;
  const events = new Events(log);
  const node = createNode({
    settings: config.nodes,
    installationKey: secrets.encryptionKey,
    version,
    db,
    log,
    countLinks: () => links.listIds().length,
    clean: () => recoverFromCrash(features),
    timing: timing.node ?? {},
  });
  const { publicUrl } = config.http;
  const { core, observeAudit } = createCore({ db, clock, events, log, tracing, node, publicUrl });
  const nodes = config.nodes && (await createOtherNodes(core, { node, settings: config.nodes }));
  const passedCalls =
    nodes &&
    createPassedCalls({
      link: nodes.link,
      findAddress: node.findAddress,
      addressOf: createClientAddress(config.http.trustedProxies),
    });
  const health = createHealth(core, () => nodes?.isCutOff ?? false);
  const askOtherVersion = createAskOtherVersion({ passedCalls, listNodes: node.list, version });
  const encryptor = createEncryptor(secrets.encryptionKey);

  const diskGuard = createDiskGuard({
    disk: composition.databaseDisk ?? (await findDatabaseDisk(config, db)),
    log,
    everyMs: timing.diskGuardMs,
  });
  const deliveries = createDeliveries(core, { encryptor, diskGuard });
  const mailing = createMailing(core, { config, deliveries });
  const { outbox, writeMail } = mailing;
  const organizations = createOrganizationsFeature(core, { config, outbox, writeMail, timing });
  const accounts = createAccountsFeature(core, {
    config,
    secrets,
    encryptor,
    outbox,
    writeMail,
    timing,
    invites: organizations.invites,
    createOwnedOrganization: organizations.createOwnedOrganization,
  });
  const { authenticate, requireConfirmation, sshKeys, issuedTokens } = accounts;
  const sshListener = createSshListener(core, { config, hostKey: secrets.sshHostKey, timing });
  const devices = createDevicesFeature(core, {
    config,
    sshListener,
    isKeyOfPerson: sshKeys.isRegistered,
    secrets,
    // No device comes before all features are there.
    keyClaims: {
      requireUsable: (key, holder) => activation.keyClaims.requireUsable(key, holder),
      claim: (enrolment, key, address) => activation.keyClaims.claim(enrolment, key, address),
    },
    agentDirectory: composition.agentDirectory,
    tls: composition.tls,
    timing,
    nodes,
  });
  const { links, reach, enrolments } = devices;
  const controllersFeature = createControllersFeature(core, { releaseEnrolment: enrolments.release });
  const controllers = controllersFeature.service;
  const activation: ActivationFeature = createActivationFeature(core, {
    config,
    devices,
    controllers,
    outbox,
    writeMail,
  });
  const diagnostics = await createDiagnosticsFeature(core, {
    archives: composition.archives,
    config,
    links,
    diskGuard,
    timing: timing.diagnostics,
  });
  const agentUpdates = await createAgentUpdatesFeature(core, {
    secrets,
    links,
    reach,
    agentDirectory: composition.agentDirectory,
    isAutomatic: config.agents.updatesThemselves,
  });
  const telemetry = createTelemetryFeature(core, {
    links,
    diskGuard,
    mailing,
    config: config.metrics,
    timing: timing.telemetry,
  });
  const tunnels = createTunnelsFeature(core, {
    config,
    authenticate,
    sshKeys,
    sshListener,
    links: reach,
    passedCalls,
    timing,
    unreadLimits: composition.unreadLimits,
    workLimits: composition.workLimits,
    tls: composition.tls,
    tunnelTls: composition.tunnelTls,
  });
  const backups = await createBackupsFeature(core, { config, secrets, version, diskGuard });
  const certificates = createCertificateMetrics({ tls: composition.tls, tunnelTls: composition.tunnelTls });
  const map = createMapFeature(core, { dataDir: config.data.dir });

  /** Each behind those it needs: see Feature. */
  const features: readonly Feature[] = [
    createBuildMetrics(version),
    diskGuard,
    ...(nodes ? [nodes] : []),
    createRequestMetrics(),
    certificates,
    createCertificatesFeature(core, {
      config,
      encryptor,
      timing,
      renewTls: (renewed) => renewTls({ features, hostServer }, renewed),
    }),
    createDiskMetrics({ dataDir: config.data.dir }),
    createDatabaseMetrics({ db, pool: composition.pool }),
    createJobQueue(core),
    createNodeMetrics(core),
    deliveries,
    mailing,
    createRateLimits(core),
    organizations,
    accounts,
    createSignInFeature(core, { config, encryptor, mailing, logins: accounts.providerLogins, organizations }),
    createServiceAccountsFeature(core, { tokens: issuedTokens, sshKeys }),
    sshListener,
    devices,
    controllersFeature,
    createGroupsFeature(core),
    backups,
    activation,
    diagnostics,
    agentUpdates,
    telemetry,
    createTrafficFeature(core, { links, timing }),
    createAlertsFeature(core, {
      encryptor,
      deliveries,
      mailing,
      config: config.alerts,
    }),
    createWebhooksFeature(core, {
      encryptor,
      deliveries,
      observeAudit,
      allowsPrivate: config.alerts.allowsPrivateWebhooks,
    }),
    tunnels,
    createMonitoringFeature(core, { config, secrets, authenticate, store: telemetry.store, timing }),
    map,
    createEnvironmentsFeature({
      config,
      findMapTilesUrl: map.findTilesUrl,
      sshListener,
      passkeys: accounts.passkeyUses,
      pultCommand: shortenCommand(ownCommand),
      getWirenBoardOff: devices.getWirenBoardOff,
    }),
    createOpenApi(config.settings),
    health,
    createInstallationFeature(core, {
      config,
      version,
      backups,
      agentUpdates: agentUpdates.progress,
      isMailServed: outbox.isDelivering,
      measureMeasurements: () => telemetry.store.measureSpace(),
      diskGuard,
      listCertificates: certificates.list,
      devices,
      countControllers: controllersFeature.countAllByStatus,
      listFeatures: () => features,
      examine: () => examineInstallation(config),
      timing: timing.installation,
    }),
    createPrometheus(core, { config: config.prometheus, listFeatures: () => features }),
    createConsole({ directory: composition.consoleDirectory, config, askOtherVersion }),
  ];

  const { app, hostServer } = await createHttp(features, core, {
    config,
    tls: composition.tls,
    headersTimeoutMs: timing.headersTimeoutMs,
    bodyTimeoutMs: timing.bodyTimeoutMs,
    authenticate,
    requireConfirmation,
    requireRoom: diskGuard.requireRoom,
    recordRefusal: organizations.recordRefusal,
    writeRate: composition.writeRate,
    checkAnswers: composition.checkAnswers ?? false,
  });
  if (nodes) takePassedCalls(nodes.link, (stream) => hostServer?.serve(stream));

  return {
    app,
    features,
    events,
    recordAudit: core.recordAudit,
    links,
    deliveries,
    mailing,
    archives: diagnostics.archives,
    liveTunnels: tunnels.live,
    fileDownloads: tunnels.downloads,
    jobs: features.flatMap(({ jobs = [] }) => jobs),
    queuedJobs: features.flatMap(({ queuedJobs = [] }) => queuedJobs),
    createFirstAdministrator: accounts.createFirstAdministrator,

    node,

    /** See Feature.recoverFromCrash. */
    async recoverFromCrash() {
      await node.join();
      await recoverFromCrash(features);
    },

    /** Resolves to the port that is listened on. */
    async listen() {
      await node.join();
      const port = await startServer({ features, app }, config.http);
      node.start();
      return port;
    },

    renewTls: (renewed: RenewedTls) => renewTls({ features, hostServer }, renewed),

    close(graceMs: number) {
      node.leaving();
      return closeServer({ features, app, hostServer, events, log, leave: nodes && health.leave }, graceMs);
    },
  };
}
export type ComposedServer = Awaited<ReturnType<typeof composeServer>>;
