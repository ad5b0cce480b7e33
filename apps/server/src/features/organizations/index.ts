export { type OrganizationAccess, requireSecondFactor } from './organization-access.ts';
export { createOrganizationsFeature, type OrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor, organizationsInScope } from './organizations.repository.ts';
export { createScope, type Scope } from './scope.ts';
