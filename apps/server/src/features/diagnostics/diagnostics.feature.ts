import type { Core, Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { Links } from '../devices/index.ts';
import type { ArchiveStore } from './archives/index.ts';
import { createCollectionsRepository } from './collections.repository.ts';
import {
  type CollectionLimits,
  type CollectionTiming,
  createCollections,
  defaultTiming,
} from './collections.ts';
import { createDiagnosticsRepository } from './diagnostics.repository.ts';
import { registerDiagnosticRoutes } from './diagnostics.routes.ts';
import { createDiagnosticsService } from './diagnostics.service.ts';
import { createRetention, type RetentionRules } from './retention.ts';

/** Diagnostics of controllers, put together. */
export function createDiagnosticsFeature(
  { db, events, recordAudit, log, clock }: Core,
  dependencies: {
    store: ArchiveStore;
    /** Limits of a collection, and how long and how much of it is kept. */
    config: CollectionLimits & RetentionRules;
    controllers: ControllersService;
    links: Links;
    timing?: Partial<CollectionTiming> | undefined;
  },
): Feature {
  const { store, config, links, controllers } = dependencies;
  const work = createCollectionsRepository(db);
  const retention = createRetention({ repository: work, store, rules: config, clock, log });
  const collections = createCollections({
    repository: work,
    links,
    store,
    limits: config,
    events,
    log,
    clock,
    timing: { ...defaultTiming, ...dependencies.timing },
    onEnd: ({ controllerId }) => retention.removeOutdatedOf(controllerId),
  });
  const repository = createDiagnosticsRepository(db);
  const service = createDiagnosticsService({ db, repository, controllers, collections, recordAudit, clock });

  events.subscribe('accessEnded', ({ controllerId }) => {
    if (controllerId === undefined) return;
    collections.abortOf(controllerId);
    retention
      .removeOrphans()
      // The job removes them then.
      .catch((error: Error) => log.warn({ err: error }, 'archives of a deleted controller left'));
  });

  const tend = async () => {
    await retention.endOverdue(collections.announce);
    await retention.removeOrphans();
    // Those whose link came while the database was away.
    collections.consider(await work.listAwaited());
  };
  const jobs: RecurringJob[] = [
    { name: 'tend-diagnostics', schedule: '* * * * *', run: tend },
    { name: 'delete-old-diagnostics', schedule: '37 3 * * *', run: retention.removeOutdated },
  ];

  return {
    name: 'diagnostics',
    jobs,
    routes: ({ api }) => registerDiagnosticRoutes(api, service, store),
    recoverFromCrash: () => retention.endInterrupted(collections.announce),
    // Broken off at once and written down as such: the archives of slow controllers would not be waited for.
    drain: collections.stop,
  };
}
