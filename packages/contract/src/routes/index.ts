import { accountRoutes } from './accounts.ts';
import { activationRoutes } from './activation.ts';
import { agentUpdateRoutes } from './agent-updates.ts';
import { alertRoutes } from './alerts.ts';
import { controllerRoutes } from './controllers.ts';
import { diagnosticRoutes } from './diagnostics.ts';
import { endpointRoutes } from './endpoints.ts';
import { enrolmentKeyRoutes } from './enrolment-keys.ts';
import { environmentRoutes } from './environments.ts';
import { grantRoutes } from './grants.ts';
import { groupRoutes } from './groups.ts';
import { guestRoutes } from './guests.ts';
import { historyRoutes } from './history.ts';
import { installationRoutes } from './installation.ts';
import { monitoringRoutes } from './monitoring.ts';
import { organizationRoutes } from './organizations.ts';
import { overviewRoutes } from './overview.ts';
import { passkeyRoutes } from './passkeys.ts';
import { searchRoutes } from './search.ts';
import { serviceAccountRoutes } from './service-accounts.ts';
import { signInRoutes } from './sign-in.ts';
import { telemetryRoutes } from './telemetry.ts';
import { tokenRoutes } from './tokens.ts';
import { trafficRoutes } from './traffic.ts';
import { tunnelRoutes } from './tunnels.ts';
import { webhookRoutes } from './webhooks.ts';

/** Every call of the API by its name. */
export const routes = {
  ...environmentRoutes,
  ...accountRoutes,
  ...passkeyRoutes,
  ...signInRoutes,
  ...tokenRoutes,
  ...organizationRoutes,
  ...overviewRoutes,
  ...grantRoutes,
  ...serviceAccountRoutes,
  ...controllerRoutes,
  ...groupRoutes,
  ...searchRoutes,
  ...activationRoutes,
  ...enrolmentKeyRoutes,
  ...telemetryRoutes,
  ...historyRoutes,
  ...monitoringRoutes,
  ...tunnelRoutes,
  ...endpointRoutes,
  ...guestRoutes,
  ...diagnosticRoutes,
  ...agentUpdateRoutes,
  ...alertRoutes,
  ...webhookRoutes,
  ...trafficRoutes,
  ...installationRoutes,
} as const;

export type Routes = typeof routes;
export type RouteName = keyof Routes;
