export { type OrganizationAccess, requireSecondFactor } from './organization-access.ts';
export { createOrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor } from './organizations.repository.ts';
export { strongestRole } from './roles.repository.ts';
export {
  controllersGranted,
  isControllerAmong,
  isControllerInPart,
  isControllerInScope,
  isGroupInPart,
  isGroupInScope,
  isGroupShown,
  lookAtPart,
  ofOrganization,
  organizationsInScope,
  organizationsTouched,
  visibleGroups,
} from './scope.repository.ts';
export { createScope, type Scope } from './scope.ts';
