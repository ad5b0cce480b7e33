import { z } from 'zod';
import { limits } from '../limits.ts';
import { controllerStatuses, statusReasons } from '../values/controllers.ts';
import { diagnosticStatuses } from '../values/diagnostics.ts';
import { id, time } from './text.ts';

export const eventsQuery = z.strictObject({ organization_id: id });

/** Something that changed in an organization. */
export const organizationEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('controller.status'),
    serialNumber: z.string(),
    status: z.enum(controllerStatuses),
    statusReason: z.enum(statusReasons),
    statusSince: time,
    lastSeenAt: time.nullable(),
  }),
  z.object({
    type: z.enum(['controller.activated', 'controller.updated', 'controller.deleted']),
    serialNumber: z.string(),
  }),
  z.object({
    type: z.literal('diagnostic.status'),
    serialNumber: z.string(),
    id,
    status: z.enum(diagnosticStatuses),
    /** Bytes that have arrived so far. */
    progress: z.number().int().nonnegative(),
  }),
  z.object({
    /** Values of MQTT controls that changed, told for 90 seconds after somebody read `last-mqtt-data` of the controller. */
    type: z.literal('controller.values'),
    serialNumber: z.string(),
    receivedAt: time,
    controls: z
      .array(z.object({ device: z.string(), control: z.string(), value: z.string(), updatedAt: time }))
      .max(200),
    /** More changed than is told here (many values, titles, errors, controls that came or went): read all anew. */
    isPartial: z.boolean(),
  }),
  z.object({
    type: z.literal('group.changed'),
    /** `controllers`: some came or left, of one group or of many. */
    change: z.enum(['created', 'updated', 'deleted', 'controllers']),
    groupId: id.nullable(),
  }),
  z.object({
    type: z.literal('alerts.changed'),
    /** Alerts fired or resolved, webhooks were tried (`alerts`), or a rule was changed (`rules`). */
    change: z.enum(['alerts', 'rules']),
  }),
  z.object({
    /** A webhook was changed, or sent something. */
    type: z.literal('webhooks.changed'),
  }),
]);
export type OrganizationEvent = z.infer<typeof organizationEvent>;

/**
 * What the event stream of an organization carries, as the `data` of server-sent events. The first one, with no
 * changes, tells the cursor. Whoever is elsewhere than at `after` has missed something and reads anew what it shows.
 */
export const eventMessage = z.object({
  after: z.string(),
  cursor: z.string(),
  /** Of what changed more than once only the last; null when that is too much to tell: read anew what is shown. */
  changes: z.array(organizationEvent).max(limits.eventsPerMessage).nullable(),
});
export type EventMessage = z.infer<typeof eventMessage>;
