export { type Access, type Change, createAccess, type Rights, requireEntry } from './access.ts';
export {
  type Caller,
  type CallerOf,
  type ControllerCaller,
  createAdmission,
  type FoundPrincipal,
  type GroupCaller,
  type MemberCaller,
  type OrganizationCaller,
  type ScopedCaller,
} from './caller.ts';
export { isInBody, isInQuery, type Place, placeOf } from './place.ts';
export {
  type GivenRole,
  listGivenRoles,
  type Part,
  roleAtController,
  strongestRole,
} from './roles.repository.ts';
export {
  controllersGranted,
  groupPath,
  hasWholeOrganization,
  isControllerAmong,
  isControllerInPart,
  isControllerInScope,
  isGrantAtRoot,
  isGrantLive,
  isGroupInPart,
  isGroupInScope,
  isGroupShown,
  isPlaceInScope,
  lookAtPart,
  ofOrganization,
  organizationsInScope,
  organizationsTouched,
  visibleGroups,
} from './scope.repository.ts';
export { createScope, regardlessOfLogin, type Scope } from './scope.ts';
export {
  lockOrganization,
  type Standing,
  type StandingRow,
  standingOf,
  toStanding,
} from './standing.repository.ts';
