import type { ArchiveStore } from '../../platform/archives/index.ts';
import type { RecordAuditEvent } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/db/schema.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Api } from '../../platform/http/api.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Logger } from '../../platform/log.ts';
import type { ControllersService } from '../controllers/index.ts';
import type { Links } from '../devices/index.ts';
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
export function createDiagnosticsFeature(dependencies: {
  db: Database;
  store: ArchiveStore;
  limits: CollectionLimits;
  rules: RetentionRules;
  controllers: ControllersService;
  links: Links;
  events: Events;
  recordAudit: RecordAuditEvent;
  log: Logger;
  clock: Clock;
  timing?: Partial<CollectionTiming> | undefined;
}) {
  const { db, store, links, controllers, recordAudit, events, log, clock } = dependencies;
  const work = createCollectionsRepository(db);
  const retention = createRetention({ repository: work, store, rules: dependencies.rules, clock, log });
  const collections = createCollections({
    repository: work,
    links,
    store,
    limits: dependencies.limits,
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
    jobs,
    registerRoutes: (api: Api): void => registerDiagnosticRoutes(api, service, store),
    /** Before the first link: whatever was being collected is so no more. */
    start: () => retention.endInterrupted(collections.announce),
    stop: collections.stop,
  };
}
