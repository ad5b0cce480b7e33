import type { Text } from './locale.ts';

export interface SystemMetricRow {
  /** Of its values, which decides how they are written. `seconds` is a time that has passed. */
  unit: 'number' | 'percent' | 'bytes' | 'celsius' | 'seconds';
  label: Text;
  /** Whether little of it is bad, as of what is free; of the others much is. An uptime is short after a crash. */
  isWorstWhenLow: boolean;
}

/** What the API can answer of a controller's system, over time, in the order in which people look at it. */
export const systemMetricTable = {
  /** Of all processors. */
  cpu_usage: {
    unit: 'percent',
    label: { ru: 'Загрузка процессора', en: 'CPU usage' },
    isWorstWhenLow: false,
  },
  /** Average length of the run queue. */
  load15: {
    unit: 'number',
    label: { ru: 'Средняя нагрузка за 15 минут', en: 'Load average, 15 minutes' },
    isWorstWhenLow: false,
  },
  mem_available: {
    unit: 'bytes',
    label: { ru: 'Доступная память', en: 'Memory available' },
    isWorstWhenLow: true,
  },
  temperature: { unit: 'celsius', label: { ru: 'Температура', en: 'Temperature' }, isWorstWhenLow: false },
  disk_free_root: {
    unit: 'bytes',
    label: { ru: 'Свободно на системном разделе', en: 'Free on the system partition' },
    isWorstWhenLow: true,
  },
  disk_free_data: {
    unit: 'bytes',
    label: { ru: 'Свободно на разделе данных', en: 'Free on the data partition' },
    isWorstWhenLow: true,
  },
  uptime: { unit: 'seconds', label: { ru: 'Время работы', en: 'Uptime' }, isWorstWhenLow: true },
} as const satisfies Record<string, SystemMetricRow>;
export type SystemMetricName = keyof typeof systemMetricTable;
// Object.keys forgets the keys' type.
export const systemMetricNames = Object.keys(systemMetricTable) as SystemMetricName[];
