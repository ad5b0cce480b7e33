import type { ControllerStatus } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { createControllerMetrics } from './controllers.metrics.ts';
import { createControllersRepository } from './controllers.repository.ts';
import { registerControllerRoutes } from './controllers.routes.ts';
import { type ControllersService, createControllersService } from './controllers.service.ts';
import { registerFleetRoutes } from './fleet.routes.ts';
import { createFleetService } from './fleet.service.ts';
import { createFleetCounts } from './fleet-counts.repository.ts';
import { createSearchRepository } from './search.repository.ts';

export interface ControllersFeature extends Feature {
  /** For activation and whatever is done with one controller. */
  service: ControllersService;
  /** Of the whole installation. */
  countAllByStatus(): Promise<ReadonlyMap<ControllerStatus, number>>;
}

/** Claimed controllers, one by one and as a fleet, put together. */
export function createControllersFeature(
  core: Core,
  {
    releaseEnrolment,
  }: { releaseEnrolment: (transaction: DatabaseTransaction, enrolmentId: string) => Promise<void> },
): ControllersFeature {
  const { db, clock, publicUrl } = core;
  const repository = createControllersRepository(db);
  const controllers = createControllersService(core, { repository, releaseEnrolment });
  const fleet = createFleetService({
    controllers: repository,
    search: createSearchRepository(db),
  });
  const counts = createFleetCounts(db);
  const jobs: RecurringJob[] = [{ name: 'compact-fleet-counts', schedule: '* * * * *', run: counts.compact }];
  return {
    name: 'controllers',
    jobs,
    metrics: createControllerMetrics(counts),
    service: controllers,
    countAllByStatus: counts.countAllByStatus,
    routes({ api }) {
      registerControllerRoutes(api, controllers, publicUrl);
      registerFleetRoutes(api, fleet, clock);
    },
  };
}
