export { agentCommand } from './agent-command.ts';
export { LastSeen } from './components/LastSeen.tsx';
export { ListToolbar } from './components/ListToolbar.tsx';
export { NoControllers } from './components/NoControllers.tsx';
export { StatusDot } from './components/StatusDot.tsx';
export { StatusLabel } from './components/StatusLabel.tsx';
export { StatusSince } from './components/StatusSince.tsx';
export { ViewSwitch } from './components/ViewSwitch.tsx';
export {
  countQuery,
  filterQuery,
  isFiltered,
  type ListSearch,
  readListSearch,
  treeQuery,
  writeFilters,
} from './list-search.ts';
export { ControllerRedirectPage } from './pages/ControllerRedirectPage.tsx';
export { ControllersPage } from './pages/ControllersPage.tsx';
export { controllerQuery, controllersCountQuery, controllersQuery } from './queries.ts';
export { useConnectReason } from './use-connect-reason.ts';
