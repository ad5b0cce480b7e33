import { routes } from '@pult/contract';
import type { Api } from '../../../platform/http/api.ts';
import type { EndpointsService } from './endpoints.service.ts';

export function registerEndpointRoutes(api: Api, endpoints: EndpointsService): void {
  api.route(routes.listServices, ({ caller }) => endpoints.list(caller));
  api.route(routes.createService, ({ caller, body }) => endpoints.create(caller, body));
  api.route(routes.updateService, ({ caller, params, body }) => endpoints.update(caller, params.port, body));
  api.route(routes.deleteService, ({ caller, params }) => endpoints.delete(caller, params.port));
}
