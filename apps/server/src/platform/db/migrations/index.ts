import type { Migration } from 'kysely';
import * as initial from './0001-initial.ts';
import * as people from './0002-people.ts';
import * as fleet from './0003-fleet.ts';
import * as fleetSpeed from './0004-fleet-speed.ts';
import * as sshKeys from './0005-ssh-keys.ts';
import * as telemetry from './0006-telemetry.ts';
import * as diagnostics from './0007-diagnostics.ts';
import * as alerts from './0008-alerts.ts';
import * as endpoints from './0009-endpoints.ts';
import * as liveTunnels from './0010-live-tunnels.ts';
import * as grafana from './0011-grafana.ts';
import * as fleetMetrics from './0012-fleet-metrics.ts';
import * as unlocated from './0013-unlocated.ts';
import * as rateLimits from './0014-rate-limits.ts';
import * as enrolmentQuota from './0015-enrolment-quota.ts';
import * as foldedAudit from './0016-folded-audit.ts';
import * as groupUndos from './0017-group-undos.ts';
import * as traffic from './0018-traffic.ts';
import * as webCache from './0019-web-cache.ts';
import * as trafficAlerts from './0020-traffic-alerts.ts';
import * as trafficSaver from './0021-traffic-saver.ts';
import * as returnTokens from './0022-return-tokens.ts';
import * as connectionKinds from './0023-connection-kinds.ts';
import * as deviceEvents from './0024-device-events.ts';
import * as backups from './0025-backups.ts';
import * as enrolmentKeys from './0026-enrolment-keys.ts';
import * as administrators from './0027-administrators.ts';
import * as acme from './0028-acme.ts';
import * as connectionKindOrder from './0029-connection-kind-order.ts';
import * as acmeProblemTexts from './0030-acme-problem-texts.ts';
import * as backupOrigins from './0031-backup-origins.ts';
import * as agentUpdates from './0032-agent-updates.ts';
import * as stoppedWaves from './0033-stopped-waves.ts';
import * as nodes from './0034-nodes.ts';
import * as sharedSecrets from './0035-shared-secrets.ts';
import * as tokens from './0036-tokens.ts';
import * as grants from './0037-grants.ts';
import * as shortSshKeys from './0038-short-ssh-keys.ts';
import * as serviceAccounts from './0039-service-accounts.ts';
import * as webhooks from './0040-webhooks.ts';
import * as deviceLogins from './0041-device-logins.ts';
import * as guests from './0042-guests.ts';

import * as forwardedPorts from './0043-forwarded-ports.ts';

import * as passkeys from './0044-passkeys.ts';

import * as identityProviders from './0045-identity-providers.ts';
import * as tendedUpdates from './0046-tended-updates.ts';
import * as detachedControllers from './0047-detached-controllers.ts';
import * as serviceHosts from './0048-service-hosts.ts';
import * as oldCryptography from './0049-old-cryptography.ts';
import * as valueTitles from './0050-value-titles.ts';
import * as asciiEmails from './0051-ascii-emails.ts';
import * as keptAlerts from './0052-kept-alerts.ts';
import * as valueHistory from './0053-value-history.ts';

/** In the order of their names. A migration that has been released never changes. */
export const migrations: Record<string, Migration> = {
  '0001-initial': initial,
  '0002-people': people,
  '0003-fleet': fleet,
  '0004-fleet-speed': fleetSpeed,
  '0005-ssh-keys': sshKeys,
  '0006-telemetry': telemetry,
  '0007-diagnostics': diagnostics,
  '0008-alerts': alerts,
  '0009-endpoints': endpoints,
  '0010-live-tunnels': liveTunnels,
  '0011-grafana': grafana,
  '0012-fleet-metrics': fleetMetrics,
  '0013-unlocated': unlocated,
  '0014-rate-limits': rateLimits,
  '0015-enrolment-quota': enrolmentQuota,
  '0016-folded-audit': foldedAudit,
  '0017-group-undos': groupUndos,
  '0018-traffic': traffic,
  '0019-web-cache': webCache,
  '0020-traffic-alerts': trafficAlerts,
  '0021-traffic-saver': trafficSaver,
  '0022-return-tokens': returnTokens,
  '0023-connection-kinds': connectionKinds,
  '0024-device-events': deviceEvents,
  '0025-backups': backups,
  '0026-enrolment-keys': enrolmentKeys,
  '0027-administrators': administrators,
  '0028-acme': acme,
  '0029-connection-kind-order': connectionKindOrder,
  '0030-acme-problem-texts': acmeProblemTexts,
  '0031-backup-origins': backupOrigins,
  '0032-agent-updates': agentUpdates,
  '0033-stopped-waves': stoppedWaves,
  '0034-nodes': nodes,
  '0035-shared-secrets': sharedSecrets,
  '0036-tokens': tokens,
  '0037-grants': grants,
  '0038-short-ssh-keys': shortSshKeys,
  '0039-service-accounts': serviceAccounts,
  '0040-webhooks': webhooks,
  '0041-device-logins': deviceLogins,
  '0042-guests': guests,
  '0043-forwarded-ports': forwardedPorts,
  '0044-passkeys': passkeys,
  '0045-identity-providers': identityProviders,
  '0046-tended-updates': tendedUpdates,
  '0047-detached-controllers': detachedControllers,
  '0048-service-hosts': serviceHosts,
  '0049-old-cryptography': oldCryptography,
  '0050-value-titles': valueTitles,
  '0051-ascii-emails': asciiEmails,
  '0052-kept-alerts': keptAlerts,
  '0053-value-history': valueHistory,
};
