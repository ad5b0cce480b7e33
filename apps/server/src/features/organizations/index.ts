export { createOrganizationsRepository, organizationsInScope } from './organizations.repository.ts';
export { registerOrganizationRoutes } from './organizations.routes.ts';
export { createOrganizationsService } from './organizations.service.ts';
export { createScope, type Scope } from './scope.ts';
