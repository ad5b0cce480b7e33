export { organizationQuery, organizationsQuery } from '../../shared/api/queries.ts';
export { OrganizationPage } from './pages/OrganizationPage.tsx';
export { OrganizationsPage } from './pages/OrganizationsPage.tsx';
