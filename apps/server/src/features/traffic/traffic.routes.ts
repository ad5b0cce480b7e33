import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { TrafficService } from './traffic.service.ts';

export function registerTrafficRoutes(api: Api, traffic: TrafficService): void {
  api.route(routes.getControllerTraffic, ({ principal, params, query }) =>
    traffic.getOfController(principal, params.serialNumber, query.month),
  );

  api.route(routes.setControllerTrafficBudget, async ({ principal, params, body, request }) => {
    await traffic.setControllerBudget(principal, params.serialNumber, body.bytes, request.ip);
    return undefined;
  });

  api.route(routes.setTrafficSaver, async ({ principal, params, body, request }) => {
    await traffic.setSaver(principal, params.serialNumber, body.enabled, request.ip);
    return undefined;
  });

  api.route(routes.getGroupTrafficBudget, ({ principal, params }) =>
    traffic.getOfGroup(principal, params.groupId),
  );

  api.route(routes.setGroupTrafficBudget, async ({ principal, params, body, request }) => {
    await traffic.setGroupBudget(principal, params.groupId, body.bytes, request.ip);
    return undefined;
  });
}
