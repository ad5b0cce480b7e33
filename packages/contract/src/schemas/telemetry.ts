import { z } from 'zod';
import { limits } from '../limits.ts';
import { time } from './text.ts';

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

const mqttControl = z.object({
  /** As in the topic `/devices/<device>/controls/<id>`. */
  id: z.string(),
  /** In the language of the call where the device has it; otherwise the id. */
  title: z.string(),
  /** As the device calls it, such as `switch`, `range` or `temperature`; null when it does not say. */
  type: z.string().nullable(),
  /** As the device writes it; null before the first one. */
  value: z.string().nullable(),
  units: z.string().nullable(),
  /** When the value came; true within the time that its telling took, whatever the device's clock says. */
  updatedAt: time.nullable(),
  order: z.number().int().optional(),
  readonly: z.boolean().optional(),
  /** What is wrong with the control by its driver: of the letters `r` (read), `w` (write), `p` (poll), or a text. */
  error: z.string().optional(),
});
export type MqttControl = z.infer<typeof mqttControl>;

export const lastMqttData = z.object({
  /** When the server last got anything of this; null before the first time. */
  receivedAt: time.nullable(),
  /** By id; controls by their order, those without one last, then by id. */
  devices: z.array(z.object({ id: z.string(), title: z.string(), controls: z.array(mqttControl) })),
});
export type LastMqttData = z.infer<typeof lastMqttData>;

const instant = z.iso.datetime({ offset: true });

export const systemMetricsRequest = z
  .strictObject({ name: z.enum(systemMetricNames), start: instant, stop: instant })
  // False for what is no time: that has been told of its own field.
  .refine(({ start, stop }) => !(new Date(start) > new Date(stop)), {
    path: ['stop'],
    message: 'period_reversed',
  });
export type SystemMetricsRequest = z.infer<typeof systemMetricsRequest>;

/** Averages of equal parts of the period, oldest first; parts in which nothing was measured are left out. */
export const systemMetrics = z
  .array(
    z.object({
      /** Where its part begins. */
      timestamp: time,
      value: z.number(),
    }),
  )
  .max(limits.metricPoints);
export type SystemMetrics = z.infer<typeof systemMetrics>;
