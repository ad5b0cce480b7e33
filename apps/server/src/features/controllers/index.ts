export { createControllersRepository } from './controllers.repository.ts';
export { registerControllerRoutes } from './controllers.routes.ts';
export { type ControllersService, createControllersService } from './controllers.service.ts';
