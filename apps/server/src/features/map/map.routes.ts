import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { MapService } from './map.service.ts';

export function registerMapRoutes(api: Api, map: MapService): void {
  api.route(routes.mapControllers, ({ caller, query }) => map.getMap(caller, query));
}
