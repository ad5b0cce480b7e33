import type { Counts, Metric } from '../../platform/prometheus/metric.ts';

/** Bytes to and from all devices, by what they were for. */
export function createTrafficMetrics(counter: { readTotals(): Counts }): readonly Metric[] {
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
