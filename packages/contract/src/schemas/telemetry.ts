import { z } from 'zod';
import { limits } from '../limits.ts';
import { systemMetricNames } from '../system-metrics.ts';
import { controllerStatuses } from '../values/controllers.ts';
import { time } from './text.ts';

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
  /** What is shown in place of values that it names, by value; in the language of the call where the device has it. */
  enum: z.record(z.string(), z.string()).optional(),
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

// False for what is no time: that has been told of its own field.
export const isPeriod = ({ start, stop }: { start: string; stop: string }) =>
  !(new Date(start) > new Date(stop));
export const periodReversed = { path: ['stop'], message: 'period_reversed' };

export const systemMetricsRequest = z
  .strictObject({ name: z.enum(systemMetricNames), start: instant, stop: instant })
  .refine(isPeriod, periodReversed);
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

export const fleetPeriodRequest = z
  .strictObject({ start: instant, stop: instant })
  .refine(isPeriod, periodReversed);
export type FleetPeriodRequest = z.infer<typeof fleetPeriodRequest>;

/**
 * Of equal parts of the period, none shorter than five minutes, oldest first. Each controller counts with its averages
 * of five minutes; the extremes are the outermost of these in the part, and the median is the average of theirs.
 */
export const fleetMetrics = z
  .array(
    z.object({
      timestamp: time,
      /** Most that told the figure at once. */
      controllers: z.number().int(),
      lowest: z.number(),
      median: z.number(),
      highest: z.number(),
    }),
  )
  .max(limits.metricPoints);
export type FleetMetrics = z.infer<typeof fleetMetrics>;

/** Of equal parts of the period, oldest first: the fewest that were online at once in the part, and of how many. */
export const fleetPresence = z
  .array(z.object({ timestamp: time, online: z.number().int(), total: z.number().int() }))
  .max(limits.metricPoints);
export type FleetPresence = z.infer<typeof fleetPresence>;

export const worstControllersQuery = z.strictObject({ name: z.enum(systemMetricNames) });

/** Worst first, by the newest figure of the last 15 minutes; controllers without one are left out. */
export const worstControllers = z
  .array(
    z.object({
      serialNumber: z.string(),
      description: z.string(),
      status: z.enum(controllerStatuses),
      value: z.number(),
    }),
  )
  .max(limits.worstControllers);
export type WorstControllers = z.infer<typeof worstControllers>;
