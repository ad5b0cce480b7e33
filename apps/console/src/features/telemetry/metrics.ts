import type { SystemMetricName } from '@pult/contract';
import type { Unit } from '../../shared/charts/units.ts';

/** The figures of a controller's system in the order in which they are looked at. */
export const metrics = [
  { name: 'cpu_usage', unit: 'percent' },
  { name: 'load15', unit: 'number' },
  { name: 'mem_available', unit: 'bytes' },
  { name: 'temperature', unit: 'celsius' },
  { name: 'disk_free_root', unit: 'bytes' },
  { name: 'disk_free_data', unit: 'bytes' },
  { name: 'uptime', unit: 'seconds' },
] as const satisfies readonly { name: SystemMetricName; unit: Unit }[];
