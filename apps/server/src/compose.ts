import type { Composition } from './composition.ts';
import { findDatabaseDisk } from './database-disk.ts';
import { examineInstallation } from './doctor/index.ts';
import { createAccountsFeature } from './features/accounts/index.ts';
import { createActivationFeature } from './features/activation/index.ts';
import { createAgentUpdatesFeature } from './features/agent-updates/index.ts';
import { createAlertsFeature } from './features/alerts/index.ts';
import { createBackupsFeature } from './features/backups/backups.feature.ts';
import { createCertificatesFeature } from './features/certificates/index.ts';
import { createControllersFeature } from './features/controllers/index.ts';
import { createDevicesFeature } from './features/devices/index.ts';
import { createDiagnosticsFeature } from './features/diagnostics/index.ts';
import { createEnrolmentKeysFeature, type EnrolmentKeysFeature } from './features/enrolment-keys/index.ts';
import { createEnvironmentsFeature } from './features/environments/index.ts';
import { createGrantsFeature } from './features/grants/index.ts';
import { createGroupsFeature } from './features/groups/index.ts';
import { createHistoryFeature } from './features/history/index.ts';
import { createInstallationFeature } from './features/installation/index.ts';
import { createMapFeature } from './features/map/index.ts';
import { createMonitoringFeature } from './features/monitoring/index.ts';
import { createOrganizationsFeature } from './features/organizations/index.ts';
import { createOverviewFeature } from './features/overview/index.ts';
import { createServiceAccountsFeature } from './features/service-accounts/index.ts';
import { createSignInFeature } from './features/sign-in/index.ts';
import { createTelemetryFeature } from './features/telemetry/index.ts';
import { createTrafficFeature } from './features/traffic/index.ts';
import { createTunnelsFeature } from './features/tunnels/index.ts';
import { createWebhooksFeature } from './features/webhooks/index.ts';
import { ownCommand, shortenCommand } from './own-command.ts';
import { systemClock } from './platform/clock.ts';
import { takePassedCalls } from './platform/cluster/link/passed-calls.ts';
import type { Feature } from './platform/feature.ts';
import { createConsole } from './platform/http/console.ts';
import { createHttp } from './platform/http/http.ts';
import { createManual } from './platform/http/manual.ts';
import { createOpenApi } from './platform/http/openapi.ts';
import { createPlatform } from './platform/platform.ts';
import { createPrometheus } from './platform/prometheus/prometheus.ts';
import { noTracing } from './platform/tracing/tracing.ts';
import { createRun, recoverFromCrash, renewTls } from './start-server.ts';
import { version } from './version.ts';

/** Builds the whole server out of its features: nothing else makes one. Nothing runs until it listens. */
export async function composeServer(composition: Composition) {
  const { config, timing = {} } = composition;
  const platform = await createPlatform({
    ...{ clock: systemClock, tracing: noTracing, ...composition, timing, version },
    databaseDisk: composition.databaseDisk ?? (await findDatabaseDisk(config, composition.db)),
    countLinks: () => links.listIds().length,
    clean: () => recoverFromCrash(features),
  });
  const { core, mailing, sshListener, nodes, passedCalls, health } = platform;

  const grants = createGrantsFeature(core);
  const organizations = createOrganizationsFeature(core, { grants: grants.repository, timing });
  const accounts = createAccountsFeature(core, { ...organizations, timing });
  const { authenticate, sshKeys } = accounts;
  const devices = createDevicesFeature(core, {
    ...{ ...composition, timing, sshListener, nodes, isKeyOfPerson: sshKeys.isRegistered },
    // No device comes before all features are there.
    getKeyClaims: () => enrolmentKeys.claims,
  });
  const { links, router, enrolments } = devices;
  const controllers = createControllersFeature(core, { releaseEnrolment: enrolments.release });
  const activation = createActivationFeature(core, { devices, controllers: controllers.service });
  const { claims } = activation;
  const enrolmentKeys: EnrolmentKeysFeature = createEnrolmentKeysFeature(core, { enrolments, claims });
  const { archives } = composition;
  const diagnostics = await createDiagnosticsFeature(core, { archives, links, timing: timing.diagnostics });
  const agentUpdates = await createAgentUpdatesFeature(core, { ...composition, links, router });
  const history = createHistoryFeature(core);
  const telemetry = createTelemetryFeature(core, { links, history, timing: timing.telemetry });
  const tunnels = createTunnelsFeature(core, {
    ...{ ...composition, timing, authenticate, sshKeys, sshListener, router, passedCalls },
  });
  const backups = await createBackupsFeature(core, { version });
  const alerts = createAlertsFeature(core);
  const map = createMapFeature(core);

  /** Each behind those it needs: see Feature. */
  const features: readonly Feature[] = [
    ...platform.features,
    createCertificatesFeature(core, {
      timing,
      renewTls: (renewed) => renewTls({ features, hostServer }, renewed),
    }),
    grants,
    organizations,
    accounts,
    createSignInFeature(core, { logins: accounts.providerLogins, places: grants.repository }),
    createServiceAccountsFeature(core, { tokens: accounts.issuedTokens, sshKeys }),
    sshListener,
    devices,
    controllers,
    createGroupsFeature(core),
    backups,
    activation,
    enrolmentKeys,
    diagnostics,
    agentUpdates,
    history,
    telemetry,
    createTrafficFeature(core, { links, timing }),
    alerts,
    createWebhooksFeature(core, { observeAudit: platform.observeAudit }),
    tunnels,
    createMonitoringFeature(core, { authenticate, store: telemetry.store, timing }),
    map,
    createOverviewFeature(core, {
      agentVersion: agentUpdates.version,
      countFiring: alerts.countFiring,
      queryPresence: telemetry.queryPresence,
      listConnections: tunnels.listTunnels,
      listChanges: organizations.listLatestEvents,
    }),
    createEnvironmentsFeature(core, {
      findMapTilesUrl: map.findTilesUrl,
      sshListener,
      passkeys: accounts.passkeyUses,
      pultCommand: shortenCommand(ownCommand),
      getWirenBoardOff: devices.getWirenBoardOff,
    }),
    createOpenApi(config.settings),
    health,
    createInstallationFeature(core, {
      ...{ version, backups, devices, listCertificates: platform.listCertificates },
      agentUpdates: agentUpdates.progress,
      measureMeasurements: () => telemetry.store.measureSpace(),
      countControllers: controllers.countAllByStatus,
      listFeatures: () => features,
      examine: () => examineInstallation(config),
      timing: timing.installation,
    }),
    createPrometheus(core, { config: config.prometheus, listFeatures: () => features }),
    createManual({ directory: composition.manualDirectory, publicUrl: core.publicUrl }),
    createConsole({
      directory: composition.consoleDirectory,
      config,
      askOtherVersion: platform.askOtherVersion,
    }),
  ];

  const { app, hostServer } = await createHttp(features, core, {
    ...{ checkAnswers: false, ...composition, ...timing, authenticate },
    requireConfirmation: accounts.requireConfirmation,
    requireRoom: core.diskGuard.requireRoom,
    recordRefusal: organizations.recordRefusal,
  });
  if (nodes) takePassedCalls(nodes.link, (stream) => hostServer?.serve(stream));

  return {
    ...core,
    mailing,
    features,
    links,
    archives: diagnostics.archives,
    liveTunnels: tunnels.live,
    fileDownloads: tunnels.downloads,
    createFirstAdministrator: accounts.createFirstAdministrator,
    ...createRun(core, { features, app, hostServer, leave: nodes && health.leave }),
  };
}
export type ComposedServer = Awaited<ReturnType<typeof composeServer>>;
