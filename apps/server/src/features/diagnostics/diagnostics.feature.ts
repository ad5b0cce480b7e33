import type { Core } from '../../platform/core.ts';
import { publishDeviceWork } from '../../platform/events/device-work.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { LocalLinks } from '../devices/index.ts';
import { type ArchiveStore, createArchiveStore } from './archives/index.ts';
import { createCollectionsRepository } from './collections.repository.ts';
import { type CollectionTiming, createCollections, defaultTiming } from './collections.ts';
import { createDiagnosticMetrics } from './diagnostics.metrics.ts';
import { createDiagnosticsRepository } from './diagnostics.repository.ts';
import { registerDiagnosticRoutes } from './diagnostics.routes.ts';
import { createDiagnosticsService } from './diagnostics.service.ts';
import { createRetention } from './retention.ts';

export interface DiagnosticsFeature extends Feature {
  archives: ArchiveStore;
}

/** Diagnostics of controllers, put together. Rejects when their archives have no place. */
export async function createDiagnosticsFeature(
  core: Core,
  dependencies: {
    /** In place of the data folder's, or of the bucket that the settings name. */
    archives: ArchiveStore | undefined;
    links: LocalLinks;
    timing?: Partial<CollectionTiming> | undefined;
  },
): Promise<DiagnosticsFeature> {
  const { db, node, events, log, diskGuard } = core;
  const { links } = dependencies;
  const { diagnostics: config, data } = core.config;
  const store = dependencies.archives ?? (await createArchiveStore({ dataDir: data.dir, s3: config.s3 }));
  const work = createCollectionsRepository(db, node);
  const retention = createRetention(core, { repository: work, store, rules: config });
  const collections = createCollections(core, {
    repository: work,
    links,
    store,
    limits: config,
    timing: { ...defaultTiming, ...dependencies.timing },
    diskGuard: config.s3 ? undefined : diskGuard,
    onEnd: ({ controllerId }) => retention.removeOutdatedOf(controllerId),
  });
  const repository = createDiagnosticsRepository(db);
  const begin = (enrolmentIds: readonly string[]) => publishDeviceWork(events, 'diagnostics', enrolmentIds);
  const { announce } = collections;
  const service = createDiagnosticsService(core, { repository, announce, begin });

  events.subscribe('deviceWork', ({ kind, enrolmentIds }) => {
    if (kind === 'diagnostics') collections.consider(enrolmentIds);
  });

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
    begin(await work.listAwaited());
  };
  const jobs: RecurringJob[] = [
    { name: 'tend-diagnostics', schedule: '* * * * *', run: tend },
    { name: 'delete-old-diagnostics', schedule: '37 3 * * *', run: retention.removeOutdated },
  ];

  return {
    name: 'diagnostics',
    archives: store,
    jobs,
    metrics: createDiagnosticMetrics(work),
    routes: ({ api }) => registerDiagnosticRoutes(api, service, store),
    recoverFromCrash: () => retention.endInterrupted(collections.announce),
    // Broken off at once and written down as such: the archives of slow controllers would not be waited for.
    drain: collections.stop,
  };
}
