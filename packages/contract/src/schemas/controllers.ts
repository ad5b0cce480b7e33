import { z } from 'zod';
import { limits } from '../limits.ts';
import { containsFilter, oneOrMoreOf, optionalQuery, ordering, pageOf, pageQuery } from './query.ts';
import { id, text, time } from './text.ts';

export const controllerStatuses = ['online', 'offline', 'never'] as const;
export type ControllerStatus = (typeof controllerStatuses)[number];

/** Why the status is what it is. */
export const statusReasons = ['link', 'server_restart', 'never_seen', 'duplicate_identity'] as const;
export type StatusReason = (typeof statusReasons)[number];

export const controllerOrderings = [
  'serial_number',
  'description',
  'firmware_version',
  'group_name',
  'status',
  'last_seen_at',
  'activated_at',
] as const;
export type ControllerOrdering = (typeof controllerOrderings)[number];

export const controller = z.object({
  id,
  serialNumber: z.string(),
  description: z.string(),
  firmwareVersion: z.string(),
  latitude: z.number().nullable(),
  longitude: z.number().nullable(),
  organization: z.object({ id, name: z.string() }),
  group: z.object({ id, name: z.string(), level: z.number().int() }).nullable(),
  activatedAt: time,
  status: z.enum(controllerStatuses),
  statusReason: z.enum(statusReasons),
  statusSince: time,
  lastSeenAt: time.nullable(),
  agentVersion: z.string(),
  model: z.string(),
});
export type Controller = z.infer<typeof controller>;

export const controllerFilters = {
  organization_id: optionalQuery(id),
  serial_number: containsFilter,
  description: containsFilter,
  firmware_version: containsFilter,
  /** Over serial number, description, firmware version and group name. */
  search: containsFilter,
  status: oneOrMoreOf(controllerStatuses),
};

export const listControllersQuery = z.strictObject({
  ...pageQuery,
  ordering: ordering(controllerOrderings),
  ...controllerFilters,
});
export const countControllersQuery = z.strictObject(controllerFilters);
export const controllerPage = pageOf(controller);

export const controllersCount = z.object({
  count: z.number().int(),
  countOnline: z.number().int(),
  countOffline: z.number().int(),
});

export const updateControllerRequest = z
  .strictObject({
    description: text(limits.descriptionLength).optional(),
    latitude: z.number().min(-90).max(90).nullable().optional(),
    longitude: z.number().min(-180).max(180).nullable().optional(),
    group: id.nullable().optional(),
  })
  .superRefine(({ latitude, longitude }, context) => {
    // Absent or null, the one that the other lacks is to blame.
    for (const nothing of [undefined, null]) {
      if ((latitude === nothing) === (longitude === nothing)) continue;
      const path = [latitude === nothing ? 'latitude' : 'longitude'];
      context.addIssue({ code: 'custom', path, message: 'coordinates_together' });
      return;
    }
  });
