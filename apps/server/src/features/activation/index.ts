export { registerActivationRoutes } from './activation.routes.ts';
export { createActivationService } from './activation.service.ts';
