export {
  placeColumns,
  placeGroup,
  toShownPlace,
} from './grants/grant-places.repository.ts';
export type { GrantsRepository } from './grants/grants.repository.ts';
export { createOrganizationsFeature, type OrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor } from './organizations.repository.ts';
