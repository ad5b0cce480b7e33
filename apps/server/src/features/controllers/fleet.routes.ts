import { routes } from '@pult/contract';
import type { Clock } from '../../platform/clock.ts';
import { csvHeaders } from '../../platform/csv.ts';
import type { Api } from '../../platform/http/api.ts';
import { createControllersCsv } from './controllers-csv.ts';
import type { FleetService } from './fleet.service.ts';

export function registerFleetRoutes(api: Api, fleet: FleetService, clock: Clock): void {
  api.route(routes.exportControllers, async ({ caller, query, locale, reply }) => {
    const { time_zone: timeZone, ...filters } = query;
    const controllers = await fleet.exportControllers(caller, filters);
    void reply.headers(csvHeaders(`controllers-${clock.now().toISOString().slice(0, 10)}`));
    // The file is the answer.
    return createControllersCsv(controllers, { locale, timeZone }) as never;
  });

  api.route(routes.search, ({ caller, query }) => fleet.search(caller, query.search));
}
