import { z } from 'zod';
import { limits } from '../limits.ts';
import { roles } from '../permissions.ts';
import { listedUpdateStatuses } from '../values/agent-updates.ts';
import {
  type AtLeastFilter,
  atLeastFilters,
  type ChoiceField,
  type ChoiceFilter,
  type ChoiceOf,
  type ContainsFilter,
  type ControllerField,
  choiceFilters,
  containsFilters,
  controllerFields,
  controllerOrderings,
  listChoices,
} from '../values/controller-fields.ts';
import { controllerStatuses, statusReasons } from '../values/controllers.ts';
import { listedAgentUpdate } from './agent-updates.ts';
import {
  booleanQuery,
  containsFilter,
  idsQuery,
  numberQuery,
  oneOrMoreOf,
  optionalQuery,
  ordering,
  pageOf,
  pageQuery,
  spreadsheetQuery,
  versionsQuery,
} from './query.ts';
import { id, text, time } from './text.ts';

const fieldSchemas = {
  text: z.string(),
  number: z.number().nullable(),
  organization: z.object({ id, name: z.string() }),
  group: z.object({ id, name: z.string(), level: z.number().int() }).nullable(),
  time,
  timeOrNever: time.nullable(),
  bytes: z.number().int(),
  agentUpdate: listedAgentUpdate.nullable(),
};
type Fields = typeof controllerFields;
type FieldSchemas = {
  [Name in ControllerField as Fields[Name]['property']]: Name extends ChoiceField
    ? z.ZodType<ChoiceOf<Name>>
    : (typeof fieldSchemas)[Exclude<Fields[Name]['type'], 'choice'>];
};

export const controller = z.object({
  id,
  // Whose keys and values are those of the table.
  ...(Object.fromEntries<unknown>(
    Object.values(controllerFields).map((field) => [
      field.property,
      field.type === 'choice' ? z.enum(Object.keys(field.choices)) : fieldSchemas[field.type],
    ]),
  ) as FieldSchemas),
  statusReason: z.enum(statusReasons),
  statusSince: time,
  /** Another device has proven by its hardware that the serial number is its own, and waits to be claimed. */
  isContested: z.boolean(),
  /** The strongest role that the caller has at it: in its organization, or by a grant that reaches it. */
  userRole: z.enum(roles),
});
export type Controller = z.infer<typeof controller>;

export const scopeFilters = { organization_id: optionalQuery(id) };
export const textFilters = {
  ...(Object.fromEntries(containsFilters.map((name) => [name, containsFilter])) as Record<
    ContainsFilter, // Those of the list.
    typeof containsFilter
  >),
  ...(Object.fromEntries<unknown>(choiceFilters.map((name) => [name, oneOrMoreOf(listChoices(name))])) as {
    [Name in ChoiceFilter]: ReturnType<typeof oneOrMoreOf<ChoiceOf<Name>>>;
  }),
  ...(Object.fromEntries(
    atLeastFilters.map((name) => [`${name}_min`, numberQuery(0, controllerFields[name].maximum)]),
  ) as Record<`${AtLeastFilter}_min`, ReturnType<typeof numberQuery>>),
  /** Exactly this version, as `firmwareVersion` tells it. */
  firmware: optionalQuery(text(limits.filterLength)),
  /** `false`: told no version; `true`: told one. */
  firmware_known: booleanQuery,
  /** Over the searched fields and the name of the controller's own group. */
  search: containsFilter,
  /** Exactly one of these versions, as `agentVersion` tells them. */
  agent: versionsQuery(limits.versionsPerFilter),
  /** Offline, and last seen so many minutes ago or earlier. */
  offline_minutes_min: numberQuery(0, limits.offlineMinutesMax),
  /** How the last update of its agent stands, as `agentUpdate` tells it. */
  agent_update: oneOrMoreOf(listedUpdateStatuses),
  /** Bounds, included; without coordinates a controller is within none. West of its eastern bound means across 180°. */
  latitude_min: numberQuery(-90, 90),
  latitude_max: numberQuery(-90, 90),
  longitude_min: numberQuery(-180, 180),
  longitude_max: numberQuery(-180, 180),
  /** `false`: those without coordinates; `true`: those with. */
  located: booleanQuery,
};
const controllerFilters = {
  ...scopeFilters,
  /** In any of these groups or in a group under one of them. */
  group_ids: idsQuery(limits.groupsPerFilter),
  /** `true`: in no group; `false`: in one. */
  ungrouped: booleanQuery,
  ...textFilters,
};

function checkBounds(
  bounds: { latitude_min?: number | undefined; latitude_max?: number | undefined },
  context: z.RefinementCtx,
): void {
  const { latitude_min: south = -90, latitude_max: north = 90 } = bounds;
  if (south <= north) return;
  context.addIssue({ code: 'custom', path: ['latitude_min'], message: 'bounds_reversed' });
}

export const listControllersQuery = z
  .strictObject({ ...pageQuery, ordering: ordering(controllerOrderings), ...controllerFilters })
  .superRefine(checkBounds);
const filterControllersQuery = z.strictObject(controllerFilters).superRefine(checkBounds);
export const exportControllersQuery = z
  .strictObject({ ...controllerFilters, ...spreadsheetQuery })
  .superRefine(checkBounds);

/** The list's filters in a body, as the query has them: numbers and booleans may stand without quotes. */
export const bulkFilter = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      typeof each === 'number' || typeof each === 'boolean' ? String(each) : each,
    ]),
  );
}, filterControllersQuery);

export const controllerPage = pageOf(controller);

/** Whatever counts by status says it in these, and the three add up to `count`. */
export const statusCounts = {
  count: z.number().int(),
  countOnline: z.number().int(),
  countOffline: z.number().int(),
  countNever: z.number().int(),
};
export const controllersCount = z.object(statusCounts);
export type StatusCounts = z.infer<typeof controllersCount>;

export const mapQuery = z
  .strictObject({
    ...controllerFilters,
    /** Of web maps: at 0 the world is one tile of 512 pixels. The higher, the smaller are the clusters. */
    zoom: numberQuery(0, limits.mapZoomMax),
  })
  .superRefine(checkBounds);

const coordinates = { latitude: z.number(), longitude: z.number() };
export const mapFeature = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('controller'),
    ...coordinates,
    serialNumber: z.string(),
    description: z.string(),
    status: z.enum(controllerStatuses),
    organization: z.object({ id }),
  }),
  z.object({
    type: z.literal('cluster'),
    /** The middle of its controllers. */
    ...coordinates,
    ...statusCounts,
    /** West, south, east, north of all its controllers: of no size where they stand in one place. */
    bounds: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  }),
]);
export type MapFeature = z.infer<typeof mapFeature>;

/** `count`: the matching controllers that have coordinates. */
export const controllersMap = z.object({
  count: z.number().int(),
  features: z.array(mapFeature).max(limits.mapFeatures),
});
export type ControllersMap = z.infer<typeof controllersMap>;

/** One that something has happened to. */
export const recentController = z.object({
  serialNumber: z.string(),
  description: z.string(),
  group: z.object({ id, name: z.string() }).nullable(),
  status: z.enum(controllerStatuses),
  lastSeenAt: time.nullable(),
  activatedAt: time,
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
