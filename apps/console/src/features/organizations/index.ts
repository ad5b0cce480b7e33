export { organizationQuery, organizationsQuery } from '../../shared/api/queries.ts';
