import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { createHistoryRepository } from './history.repository.ts';
import { registerHistoryRoutes } from './history.routes.ts';
import { createHistoryService } from './history.service.ts';
import { createHistoryKeeper } from './keeper.ts';
import { createKeepingRepository } from './keeping.repository.ts';
import { createHistoryRecorder, type HistoryRecorder } from './recorder.ts';
import { createSeriesRepository } from './series.repository.ts';

export interface HistoryFeature extends Feature {
  recorder: HistoryRecorder;
  /** All that was kept of controllers that are gone. */
  remove(controllerIds: readonly string[]): Promise<void>;
}

/** What the controls of controllers were: kept as it is told, made smaller by a job, and read for charts. */
export function createHistoryFeature(core: Core): HistoryFeature {
  const { db, clock } = core;
  const series = createSeriesRepository(db);
  const history = createHistoryRepository(db);
  const keeping = createKeepingRepository(db);
  const service = createHistoryService(core, { series, history });
  const keeper = createHistoryKeeper(core, { repository: keeping });
  const jobs: RecurringJob[] = [{ name: 'keep-value-history', schedule: '*/5 * * * *', run: keeper.run }];
  return {
    name: 'history',
    jobs,
    recorder: createHistoryRecorder(db),
    remove: (controllerIds) => keeping.remove(controllerIds, clock.now().getTime()),
    routes: ({ api }) => registerHistoryRoutes(api, service),
  };
}
