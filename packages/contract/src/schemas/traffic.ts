import { z } from 'zod';
import { limits } from '../limits.ts';
import { type TrafficKind, trafficKinds } from '../values/traffic.ts';
import { optionalQuery } from './query.ts';
import { id } from './text.ts';

/** `2026-11`, in UTC. */
const month = z.string().regex(/^20[0-9]{2}-(0[1-9]|1[0-2])$/, 'invalid');
const bytes = z.number().int();

const trafficBudget = z.object({
  /** Of one controller in one month, all kinds together. */
  bytes,
  /** Whose budget it is; null for the controller's own. */
  group: z.object({ id, name: z.string() }).nullable(),
});

export const controllerTrafficQuery = z.strictObject({ month: optionalQuery(month) });

export const controllerTraffic = z.object({
  month,
  /** Those on which something went, oldest first; bytes of both directions by what they were for. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      // Whose keys are those of the list.
      ...(Object.fromEntries(trafficKinds.map((kind) => [kind, bytes])) as Record<TrafficKind, typeof bytes>),
    }),
  ),
  /** Of all days. */
  total: bytes,
  /** The nearest: its own, else that of the first group at or above its own that has one. */
  budget: trafficBudget.nullable(),
  /** Its device is to move as little as it can: see `setTrafficSaver`. */
  isSaving: z.boolean(),
});
export type ControllerTraffic = z.infer<typeof controllerTraffic>;

export const setTrafficSaverRequest = z.strictObject({ enabled: z.boolean() });

/** Null: none of its own. */
export const setTrafficBudgetRequest = z.strictObject({
  bytes: z.number().int().min(limits.trafficBudgetMin).max(limits.trafficBudgetMax).nullable(),
});

export const groupTrafficBudget = z.object({
  /** The group's own; null where it has none. */
  bytes: bytes.nullable(),
  /** What counts without one of its own: that of the first group above that has one. */
  inherited: trafficBudget.nullable(),
});
export type GroupTrafficBudget = z.infer<typeof groupTrafficBudget>;
