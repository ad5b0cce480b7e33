import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { TrafficService } from './traffic.service.ts';

export function registerTrafficRoutes(api: Api, traffic: TrafficService): void {
  api.route(routes.getControllerTraffic, ({ caller, query }) => traffic.getOfController(caller, query.month));
  api.route(routes.setControllerTrafficBudget, ({ caller, body }) =>
    traffic.setControllerBudget(caller, body.bytes),
  );
  api.route(routes.setTrafficSaver, ({ caller, body }) => traffic.setSaver(caller, body.enabled));
  api.route(routes.getGroupTrafficBudget, ({ caller }) => traffic.getOfGroup(caller));
  api.route(routes.setGroupTrafficBudget, ({ caller, body }) => traffic.setGroupBudget(caller, body.bytes));
}
