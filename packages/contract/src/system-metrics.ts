/** What the API can answer of a controller's system, over time. */
export const systemMetricNames = [
  /** Average length of the run queue over 15 minutes. */
  'load15',
  /** Percent of all processors. */
  'cpu_usage',
  /** Bytes. */
  'mem_available',
  'disk_free_root',
  'disk_free_data',
  /** Degrees Celsius. */
  'temperature',
  /** Seconds. */
  'uptime',
] as const;
export type SystemMetricName = (typeof systemMetricNames)[number];

/** Whether little of it is bad, as of what is free; of the others much is. An uptime is short after a crash. */
export const isWorstWhenLow: Readonly<Record<SystemMetricName, boolean>> = {
  load15: false,
  cpu_usage: false,
  mem_available: true,
  disk_free_root: true,
  disk_free_data: true,
  temperature: false,
  uptime: true,
};
