import { type ControllerStatus, controllerStatuses } from '@pult/contract';
import { type Metric, samplesBy } from '../../platform/prometheus/metric.ts';

/** How many controllers there are. */
export function createControllerMetrics(counts: {
  countAllByStatus(): Promise<ReadonlyMap<ControllerStatus, number>>;
}): readonly Metric[] {
  return [
    {
      name: 'pult_controllers',
      help: 'Controllers of all organizations, by the status that the console shows',
      type: 'gauge',
      labels: ['status'],
      async read() {
        const found = await counts.countAllByStatus();
        return samplesBy(
          'status',
          controllerStatuses.map((status) => [status, found.get(status) ?? 0] as const),
        );
      },
    },
  ];
}
