import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { ServicesService } from './services.service.ts';

export function registerServiceRoutes(api: Api, services: ServicesService): void {
  api.route(routes.listServices, ({ principal, params }) => services.list(principal, params.serialNumber));
  api.route(routes.createService, ({ principal, params, body, request }) =>
    services.create(principal, { ...params, address: request.ip }, body),
  );
  api.route(routes.updateService, ({ principal, params: { port, ...params }, body, request }) =>
    services.update(principal, { ...params, address: request.ip }, port, body),
  );
  api.route(routes.deleteService, async ({ principal, params: { port, ...params }, request }) => {
    await services.delete(principal, { ...params, address: request.ip }, port);
    return undefined;
  });
}
