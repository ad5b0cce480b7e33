import { z } from 'zod';
import { limits } from '../limits.ts';
import { isPeriod, periodReversed } from './telemetry.ts';
import { serialNumber, time } from './text.ts';

const instant = z.iso.datetime({ offset: true });

const controlName = z.string().min(1).max(limits.controlIdLength);

export const controllerHistoryRequest = z
  .strictObject({
    /** By the ids of the last values; one that has no history gets no points. */
    controls: z
      .array(z.strictObject({ device: controlName, control: controlName }))
      .min(1)
      .max(limits.controlsPerHistory),
    start: instant,
    stop: instant,
  })
  .refine(isPeriod, periodReversed);
export type ControllerHistoryRequest = z.infer<typeof controllerHistoryRequest>;

const historyPoint = z.object({
  /** Where its part of the period begins; of a switch or an enumeration, when it became so. */
  timestamp: time,
  min: z.number(),
  /** Each value counts for as long as it stood. */
  mean: z.number(),
  max: z.number(),
  last: z.number(),
});

const points = z.array(historyPoint).max(limits.historyPoints);

export const controllerHistory = z.object({
  /**
   * Seconds of the part of the period that a point stands for, chosen by the server: the extremes of a part are those of all that was
   * told in it. A switch or an enumeration that changed rarely has a point for each change.
   */
  resolution: z.number().int(),
  /** In the order of the request; parts in which nothing was told are left out. */
  series: z.array(z.object({ device: z.string(), control: z.string(), points })),
});
export type ControllerHistory = z.infer<typeof controllerHistory>;

export const organizationHistoryRequest = z
  .strictObject({
    device: controlName,
    control: controlName,
    /** One that cannot be seen gets no points, as one without such a control. */
    controllers: z.array(serialNumber).min(1).max(limits.controllersPerHistory),
    start: instant,
    stop: instant,
  })
  .refine(isPeriod, periodReversed);
export type OrganizationHistoryRequest = z.infer<typeof organizationHistoryRequest>;

export const organizationHistory = z.object({
  /** As of one controller. */
  resolution: z.number().int(),
  /** In the order of the request. */
  series: z.array(z.object({ serialNumber: z.string(), points })),
});
export type OrganizationHistory = z.infer<typeof organizationHistory>;
