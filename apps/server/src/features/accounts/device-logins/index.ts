export { createDeviceLoginsRepository } from './device-logins.repository.ts';
export { registerDeviceLoginRoutes } from './device-logins.routes.ts';
export { createDeviceLoginsService } from './device-logins.service.ts';
