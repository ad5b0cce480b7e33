import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { LocalLinks } from '../devices/index.ts';
import type { HistoryRecorder } from '../history/index.ts';
import { createControlsRepository } from './controls.repository.ts';
import { createFleetMetricsRepository } from './fleet/fleet-metrics.repository.ts';
import { createFleetMetricsService, type FleetMetricsService } from './fleet/fleet-metrics.service.ts';
import { createFleetSummary } from './fleet/fleet-summary.ts';
import { createBatchWriter } from './ingestion/batch-writer.ts';
import type { BudgetOptions } from './ingestion/entry-budget.ts';
import { createIngestionQueue } from './ingestion/ingestion-queue.ts';
import { createSampleBudget } from './ingestion/sample-budget.ts';
import { createTelemetrySubscriptions } from './ingestion/subscriptions.ts';
import { createLiveValues } from './live-values.ts';
import { createMetricOutboxRepository } from './metrics/metric-outbox.repository.ts';
import { createMetricSamplesRepository } from './metrics/metric-samples.repository.ts';
import type { MetricsStore } from './metrics/metrics-store.ts';
import { createPostgresStore } from './metrics/postgres-store.ts';
import { createVictoriaClient } from './metrics/victoria-client.ts';
import { createVictoriaStore } from './metrics/victoria-store.ts';
import { createOffsetsRepository } from './offsets.repository.ts';
import { createOrganizationShares } from './shares/organization-shares.ts';
import { createTellShare } from './shares/share-mails.ts';
import { createTelemetryMetrics } from './telemetry.metrics.ts';
import { registerTelemetryRoutes } from './telemetry.routes.ts';
import { createTelemetryService } from './telemetry.service.ts';

export interface TelemetryTiming {
  budget?: BudgetOptions | undefined;
  /** When what failed is tried again, in milliseconds. */
  retryMs?: number | undefined;
}

interface Dependencies {
  links: LocalLinks;
  history: { recorder: HistoryRecorder; remove(controllerIds: readonly string[]): Promise<void> };
  timing?: TelemetryTiming | undefined;
}

export interface TelemetryFeature extends Feature {
  store: MetricsStore;
  queryPresence: FleetMetricsService['queryPresence'];
}

/** Removed at once from the store of measurements. */
const controllersPerRemoval = 100;
const storeTimeout = 10_000;
/** Controls that their device did not tell of for so long no longer exist. */
const unseenFor = 7 * 24 * 3600_000;

/** What devices tell, taken, kept and shown. */
export function createTelemetryFeature(
  core: Core,
  { links, history, timing = {} }: Dependencies,
): TelemetryFeature {
  const { db, events, clock, diskGuard, config } = core;
  const { retentionDays, victoriaMetricsUrl } = config.metrics;
  const store: MetricsStore =
    victoriaMetricsUrl === undefined
      ? createPostgresStore(core, { repository: createMetricSamplesRepository(db), retentionDays })
      : createVictoriaStore(core, {
          client: createVictoriaClient(victoriaMetricsUrl, storeTimeout),
          outbox: createMetricOutboxRepository(db),
        });
  const offsets = createOffsetsRepository(db);
  const controls = createControlsRepository(db);
  const live = createLiveValues({ events, clock });
  const writer = createBatchWriter(core, { offsets, controls, store, history: history.recorder });
  const queue = createIngestionQueue(core, { writer, onStored: live.take });
  const shares = createOrganizationShares(core, {
    measureSpace: store.measureSpace,
    getAvailableBytes: () => diskGuard.availableBytes,
    tell: createTellShare(core),
  });
  const subscriptions = createTelemetrySubscriptions(core, {
    links,
    offsets,
    queue,
    samples: createSampleBudget({ clock, isHeld: shares.isHeld }),
    live,
    ...timing,
  });
  const service = createTelemetryService(core, {
    repository: controls,
    store,
    live,
    retentionDays,
  });

  const fleet = createFleetMetricsRepository(db);
  const summary = createFleetSummary(core, { repository: fleet, store, retentionDays });
  const fleetService = createFleetMetricsService(core, { repository: fleet, store, retentionDays });

  /** What released controllers measured goes from wherever it is. */
  async function removeReleased(): Promise<void> {
    for (;;) {
      const ids = await offsets.listRemovals(controllersPerRemoval);
      if (ids.length === 0) return;
      await store.remove(ids);
      await history.remove(ids);
      await offsets.deleteRemovals(ids);
    }
  }

  const jobs: RecurringJob[] = [
    { name: 'maintain-metrics', schedule: '23 * * * *', run: () => store.maintain() },
    { name: 'summarize-fleets', schedule: '* * * * *', run: summary.run },
    { name: 'share-disk', schedule: '*/5 * * * *', run: shares.look },
    { name: 'forget-fleet-figures', schedule: '47 2 * * *', run: summary.forget },
    { name: 'remove-released-telemetry', schedule: '* * * * *', run: removeReleased },
    {
      name: 'delete-unseen-controls',
      schedule: '37 2 * * *',
      run: () => controls.deleteUnseen(new Date(clock.now().getTime() - unseenFor)),
    },
  ];

  let unwatch = () => {};
  return {
    name: 'telemetry',
    jobs,
    metrics: [
      ...createTelemetryMetrics(queue, subscriptions, shares, history.recorder),
      ...(store.metrics ?? []),
    ],
    store,
    queryPresence: fleetService.queryPresence,
    routes: ({ api }) => registerTelemetryRoutes(api, service, fleetService),
    start() {
      store.start();
      // Devices keep what they measure while the disk is nearly full.
      if (diskGuard.room === 'enough') subscriptions.start();
      unwatch = diskGuard.onChange((room) => {
        if (room === 'enough') subscriptions.start();
        else void subscriptions.stop();
      });
    },
    /** What was taken is stored; devices keep what was not. */
    async drain() {
      unwatch();
      await subscriptions.stop();
      live.stop();
      await store.stop();
    },
  };
}
