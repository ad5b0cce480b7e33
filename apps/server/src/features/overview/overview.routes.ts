import { routes } from '@pult/contract';
import type { Api } from '../../platform/http/api.ts';
import type { OverviewService } from './overview.service.ts';

export function registerOverviewRoutes(api: Api, overview: OverviewService): void {
  api.route(routes.getOverview, ({ caller }) => overview.getOverview(caller));
}
