import { z } from 'zod';
import { controllerStatuses, statusReasons } from './controllers.ts';
import { id, time } from './text.ts';

export const eventsQuery = z.strictObject({ organization_id: id });

/** What the event stream of an organization carries, as the `data` of server-sent events. */
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
    type: z.literal('group.changed'),
    /** `controllers`: some came or left, of one group or of many. */
    change: z.enum(['created', 'updated', 'deleted', 'controllers']),
    groupId: id.nullable(),
  }),
]);
export type OrganizationEvent = z.infer<typeof organizationEvent>;
