import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { EndpointsService } from './endpoints.service.ts';

export function registerEndpointRoutes(api: Api, endpoints: EndpointsService): void {
  api.route(routes.listServices, ({ principal, params }) => endpoints.list(principal, params.serialNumber));
  api.route(routes.createService, ({ principal, params, body, request }) =>
    endpoints.create(principal, { ...params, address: request.ip }, body),
  );
  api.route(routes.updateService, ({ principal, params, body, request }) =>
    endpoints.update(principal, { ...params, address: request.ip }, body),
  );
  api.route(routes.deleteService, async ({ principal, params, request }) => {
    await endpoints.delete(principal, { ...params, address: request.ip });
    return undefined;
  });
}
