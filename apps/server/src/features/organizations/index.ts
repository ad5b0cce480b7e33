export { createOrganizationsFeature } from './organizations.feature.ts';
export { lacksSecondFactor } from './organizations.repository.ts';
