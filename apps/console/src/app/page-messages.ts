import * as access from '../features/access/messages.ts';
import * as deviceLogins from '../features/accounts/device-logins/messages.ts';
import * as passkeys from '../features/accounts/passkeys/messages.ts';
import * as passwordReset from '../features/accounts/password-reset/messages.ts';
import * as security from '../features/accounts/security/messages.ts';
import * as signUp from '../features/accounts/sign-up/messages.ts';
import * as tokens from '../features/accounts/tokens/messages.ts';
import * as activation from '../features/activation/messages.ts';
import * as agentUpdates from '../features/agent-updates/messages.ts';
import * as alerts from '../features/alerts/messages.ts';
import * as diagnostics from '../features/diagnostics/messages.ts';
import * as enrolmentKeys from '../features/enrolment-keys/messages.ts';
import * as grants from '../features/grants/messages.ts';
import * as history from '../features/history/messages.ts';
import * as installation from '../features/installation/messages.ts';
import * as map from '../features/map/messages.ts';
import * as monitoring from '../features/monitoring/messages.ts';
import * as audit from '../features/organizations/audit/messages.ts';
import * as organizationSettings from '../features/organizations/settings/messages.ts';
import * as overview from '../features/overview/messages.ts';
import * as services from '../features/service-accounts/messages.ts';
import * as signIn from '../features/sign-in/messages.ts';
import * as organizationSignIn from '../features/sign-in/settings/messages.ts';
import * as telemetry from '../features/telemetry/messages.ts';
import * as endpoints from '../features/tunnels/endpoints/messages.ts';
import * as guests from '../features/tunnels/guests/messages.ts';
import * as webCache from '../features/tunnels/web-cache/messages.ts';
import * as webhooks from '../features/webhooks/messages.ts';
import * as charts from '../shared/charts/messages.ts';
import { withParity } from '../shared/i18n/parity.ts';
import * as baseMap from '../shared/map/messages.ts';

/** Texts of single pages, loaded with the first of them: the list of controllers does without. */
export const pageNamespaces = withParity({
  access,
  activation,
  agentUpdates,
  alerts,
  audit,
  baseMap,
  charts,
  deviceLogins,
  diagnostics,
  endpoints,
  enrolmentKeys,
  grants,
  guests,
  history,
  installation,
  map,
  monitoring,
  organizationSettings,
  organizationSignIn,
  overview,
  passkeys,
  passwordReset,
  security,
  services,
  signIn,
  signUp,
  telemetry,
  tokens,
  webCache,
  webhooks,
});
