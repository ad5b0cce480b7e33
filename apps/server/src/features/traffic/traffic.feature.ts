import { lifetimes } from '@pult/contract';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { Counts, Metric } from '../../platform/prometheus/metric.ts';
import type { LocalLinks } from '../devices/index.ts';
import { createBudgetsRepository } from './budgets.repository.ts';
import { createTrafficRepository } from './traffic.repository.ts';
import { registerTrafficRoutes } from './traffic.routes.ts';
import { createTrafficService } from './traffic.service.ts';
import { createTrafficCounter } from './traffic-counter.ts';

/** Milliseconds. */
export interface TrafficTiming {
  /** How often what devices have moved is written down. */
  trafficIntervalMs?: number;
}

/** Bytes to and from controllers, counted, shown and budgeted. */
export function createTrafficFeature(
  core: Core,
  { links, timing }: { links: LocalLinks; timing: TrafficTiming },
): Feature {
  const { db, clock } = core;
  const repository = createTrafficRepository(db);
  const intervalMs = timing.trafficIntervalMs;
  const counter = createTrafficCounter(core, { links, repository, intervalMs });
  const service = createTrafficService(core, { repository, budgets: createBudgetsRepository(db) });
  const forget = () =>
    repository.forgetDaysBefore(new Date(clock.now().getTime() - lifetimes.traffic * 1000));
  const jobs: RecurringJob[] = [{ name: 'delete-old-traffic', schedule: '43 3 * * *', run: forget }];
  return {
    name: 'traffic',
    jobs,
    metrics: createTrafficMetrics(counter),
    routes: ({ api }) => registerTrafficRoutes(api, service),
    start: counter.start,
    stop: counter.stop,
  };
}

/** Bytes to and from all devices, by what they were for. */
function createTrafficMetrics(counter: { readTotals(): Counts }): readonly Metric[] {
  return [
    {
      name: 'pult_device_traffic_bytes_total',
      help: 'Bytes to and from devices, by what they were for',
      type: 'counter',
      labels: ['kind'],
      read: () => counter.readTotals().read('kind'),
    },
  ];
}
