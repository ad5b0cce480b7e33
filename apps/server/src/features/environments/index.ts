export { registerEnvironmentRoutes } from './environments.routes.ts';
