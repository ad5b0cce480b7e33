import { type Metric, sample, shareReading } from '../../platform/prometheus/metric.ts';
import type { CollectionsRepository } from './collections.repository.ts';

/** The space that archives take, wherever they are kept. */
export function createDiagnosticMetrics(
  repository: Pick<CollectionsRepository, 'measureAll'>,
): readonly Metric[] {
  const measure = shareReading(repository.measureAll);
  return [
    {
      name: 'pult_archives',
      help: 'Diagnostics archives that are kept',
      type: 'gauge',
      read: async () => sample((await measure()).archives),
    },
    {
      name: 'pult_archive_bytes',
      help: 'Space that diagnostics archives take, in the data folder or in the bucket',
      type: 'gauge',
      read: async () => sample((await measure()).bytes),
    },
    {
      name: 'pult_diagnostics_active',
      help: 'Diagnostics that were asked for and are not there yet',
      type: 'gauge',
      read: async () => sample((await measure()).active),
    },
  ];
}
