export {
  isPlaceVisible,
  placeColumns,
  placeGroup,
  type StoredPlace,
  toShownPlace,
} from './grant-places.repository.ts';
export { createGrantsFeature } from './grants.feature.ts';
export type { GrantSubject, GrantsRepository } from './grants.repository.ts';
export { putGrant } from './put-grant.ts';
export { toRolePlace } from './role-place.ts';
