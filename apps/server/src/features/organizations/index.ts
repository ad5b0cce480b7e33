export {
  placeColumns,
  placeGroup,
  toShownPlace,
} from './grants/grant-places.repository.ts';
export type { GrantsRepository } from './grants/grants.repository.ts';
export { type OrganizationAccess, requireEntry } from './organization-access.ts';
export { createOrganizationsFeature, type OrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor } from './organizations.repository.ts';
export { type GivenRole, listGivenRoles, roleAtController, strongestRole } from './roles.repository.ts';
export {
  controllersGranted,
  isControllerAmong,
  isControllerInPart,
  isControllerInScope,
  isGrantLive,
  isGroupInPart,
  isGroupInScope,
  isGroupShown,
  lookAtPart,
  ofOrganization,
  organizationsInScope,
  organizationsTouched,
  visibleGroups,
} from './scope.repository.ts';
export { createScope, regardlessOfLogin, type Scope } from './scope.ts';
