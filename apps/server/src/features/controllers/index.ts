export {
  type ControllerFilters,
  idsOfGroupsUnder,
  type MatchingControllers,
  matchingControllers,
} from './controller-filters.repository.ts';
export { createControllersFeature } from './controllers.feature.ts';
export { createControllersRepository } from './controllers.repository.ts';
export type { ControllersService } from './controllers.service.ts';
export { createFleetCounts, isKept } from './fleet-counts.repository.ts';
export { type CountAt, groupRoots } from './group-roots.repository.ts';
export { statusCounts } from './status-counts.repository.ts';
