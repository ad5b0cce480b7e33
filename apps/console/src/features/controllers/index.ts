export { agentCommand } from './agent-command.ts';
export { GroupName, GroupNames } from './components/GroupName.tsx';
export { LastSeen } from './components/LastSeen.tsx';
export { ListToolbar } from './components/ListToolbar.tsx';
export { LocalAddress } from './components/LocalAddress.tsx';
export { NoControllers } from './components/NoControllers.tsx';
export { NotGiven } from './components/NotGiven.tsx';
export { StatusDot, StatusLabel } from './components/StatusLabel.tsx';
export { StatusSince } from './components/StatusSince.tsx';
export { ViewSwitch } from './components/ViewSwitch.tsx';
export { FilterPill } from './field-filters.tsx';
export { countQuery, filterQuery, filterSearch, treeQuery } from './list-search.ts';
export {
  controllerQuery,
  controllersCountQuery,
  controllersQuery,
  useExportControllers,
} from './queries.ts';
export { useConnectReason } from './use-connect-reason.ts';
export { useDeviceOrigin } from './use-device-origin.ts';
