import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { OrganizationAccess } from '../organizations/index.ts';
import { createControllersRepository } from './controllers.repository.ts';
import { registerControllerRoutes } from './controllers.routes.ts';
import { createControllersService } from './controllers.service.ts';
import { registerFleetRoutes } from './fleet.routes.ts';
import { createFleetService } from './fleet.service.ts';
import { createFleetCounts } from './fleet-counts.repository.ts';
import { createMapRepository } from './map.repository.ts';
import { createOverviewRepository } from './overview.repository.ts';
import { createSearchRepository } from './search.repository.ts';

/** Claimed controllers, one by one and as a fleet, put together. */
export function createControllersFeature(dependencies: {
  db: Database;
  clock: Clock;
  access: OrganizationAccess;
  releaseEnrolment: (transaction: DatabaseTransaction, enrolmentId: string) => Promise<void>;
  events: Events;
  recordAudit: RecordAuditEvent;
  publicUrl: string;
}) {
  const { db, clock, access, publicUrl, ...rest } = dependencies;
  const repository = createControllersRepository(db);
  const { requireSecondFactorOf } = access;
  const controllers = createControllersService({ db, repository, requireSecondFactorOf, ...rest });
  const fleet = createFleetService({
    controllers: repository,
    search: createSearchRepository(db),
    map: createMapRepository(db),
    overview: createOverviewRepository(db),
    access,
  });
  const jobs: RecurringJob[] = [
    { name: 'compact-fleet-counts', schedule: '* * * * *', run: createFleetCounts(db).compact },
  ];
  return {
    jobs,
    /** For activation and tunnels. */
    service: controllers,
    registerRoutes(api: Api): void {
      registerControllerRoutes(api, controllers, publicUrl);
      registerFleetRoutes(api, fleet, clock);
    },
  };
}
