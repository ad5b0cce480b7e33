export { type Access, createAccess, type Rights, requireEntry, requireRole } from './access.ts';
export {
  type AskingCaller,
  answerOf,
  type Caller,
  type CallerOf,
  type ControllerCaller,
  createAdmission,
  createVisitor,
  type Decided,
  type FoundPrincipal,
  type GroupCaller,
  type MemberCaller,
  type OrganizationCaller,
  type ScopedCaller,
  type Visitor,
} from './caller.ts';
export { isInBody, isInQuery, type Place, placeOf } from './place.ts';
export {
  lockOrganization,
  type PlaceAccess,
  type PlaceAccessRow,
  selectPlaceAccess,
  toPlaceAccess,
} from './place-access.repository.ts';
export {
  type GivenRole,
  listGivenRoles,
  type Part,
  roleAtController,
  strongestRole,
} from './roles.repository.ts';
export {
  findOnlyOrganization,
  grantedParts,
  groupPath,
  isGrantAtRoot,
  isGrantLive,
  type Purpose,
  planControllers,
  visibleControllers,
  visibleGroups,
  wholeOrganizations,
} from './scope.repository.ts';
export { createScope, regardlessOfLogin, type Scope } from './scope.ts';
