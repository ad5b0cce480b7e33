export {
  controllersGranted,
  createScope,
  type GivenRole,
  hasWholeOrganization,
  isControllerAmong,
  isControllerInPart,
  isControllerInScope,
  isGrantLive,
  isGroupInPart,
  isGroupInScope,
  isGroupShown,
  listGivenRoles,
  lookAtPart,
  ofOrganization,
  organizationsInScope,
  organizationsTouched,
  regardlessOfLogin,
  roleAtController,
  type Scope,
  strongestRole,
  visibleGroups,
} from '../../platform/access/index.ts';
export {
  placeColumns,
  placeGroup,
  toShownPlace,
} from './grants/grant-places.repository.ts';
export type { GrantsRepository } from './grants/grants.repository.ts';
export { createOrganizationsFeature, type OrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor } from './organizations.repository.ts';
