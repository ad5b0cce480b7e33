export { type OrganizationAccess, requireSecondFactor } from './organization-access.ts';
export { createOrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor, organizationsInScope } from './organizations.repository.ts';
export { createScope, type Scope } from './scope.ts';
