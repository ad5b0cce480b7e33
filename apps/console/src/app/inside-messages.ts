import * as agentSelection from '../features/agent-updates/selection-messages.ts';
import * as labels from '../features/controllers/labels/messages.ts';
import * as controllers from '../features/controllers/messages.ts';
import * as groups from '../features/groups/messages.ts';
import * as organizations from '../features/organizations/messages.ts';
import * as traffic from '../features/traffic/messages.ts';
import * as tunnelKinds from '../features/tunnels/kinds/messages.ts';
import * as liveTunnels from '../features/tunnels/records/messages.ts';
import { withParity } from '../shared/i18n/parity.ts';
import * as palette from './palette/messages.ts';
import * as banners from './shell/banner-messages.ts';

/** Texts of the pages that need a login, loaded on the way to the first of them. */
export const insideNamespaces = withParity({
  agentSelection,
  banners,
  palette,
  organizations,
  liveTunnels,
  controllers,
  labels,
  traffic,
  groups,
  tunnelKinds,
});
