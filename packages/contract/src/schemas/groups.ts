import { z } from 'zod';
import { limits } from '../limits.ts';
import { roles } from '../permissions.ts';
import { bulkFilter, scopeFilters, textFilters } from './controllers.ts';
import { id, requiredText, serialNumber } from './text.ts';

export const group = z.object({
  id,
  name: z.string(),
  parent: id.nullable(),
  /** How many groups are above it. */
  level: z.number().int(),
  organization: z.object({ id }),
  /** In it and in all its subgroups: as many as the list shows for it. */
  controllersCount: z.number().int(),
  /** Not the caller's: shown by its name, as the way to what is. */
  isOutside: z.boolean().optional(),
  /** The strongest role that the caller has at it; absent where it is not the caller's. */
  userRole: z.enum(roles).optional(),
  get subgroups() {
    return z.array(group);
  },
});
export type Group = z.infer<typeof group>;

/** The trees are whole whatever is asked for; only the counts follow the filters. */
export const listGroupsQuery = z.strictObject({ ...scopeFilters, ...textFilters });

const name = requiredText(limits.nameLength);
export const createGroupRequest = z.strictObject({
  name,
  parent: id.nullable().optional(),
  organization: id,
});
/** `parent: null` makes it a root. With `expectedParent` it is refused where it has another one now. */
export const updateGroupRequest = z.strictObject({
  name: name.optional(),
  parent: id.nullable().optional(),
  expectedParent: id.nullable().optional(),
});

/** Which controllers: their serial numbers, or all that match the list's filters. */
const selection = {
  controllers: z.array(serialNumber).min(1).max(limits.controllersPerCall).optional(),
  filter: bulkFilter.optional(),
};

function checkSelection(
  { controllers, filter }: { controllers?: unknown; filter?: unknown },
  context: z.RefinementCtx,
): void {
  if ((controllers === undefined) !== (filter === undefined)) return;
  const message = controllers === undefined ? 'required' : 'controllers_or_filter';
  context.addIssue({ code: 'custom', path: ['controllers'], message });
}

export const attachControllersRequest = z.strictObject(selection).superRefine(checkSelection);

/** The same within one organization. */
export const selectionInOrganization = z
  .strictObject(selection)
  .superRefine(checkSelection)
  .superRefine(({ filter }, context) => {
    // One organization: without it a filter could reach into all of the caller's.
    if (filter && filter.organization_id === undefined) {
      context.addIssue({ code: 'custom', path: ['filter'], message: 'organization_required' });
    }
  });

/**
 * How many controllers were meant, whether or not each of them was there already. `moveId` undoes it for 15 seconds; null
 * where nothing was moved.
 */
export const movedControllers = z.object({ count: z.number().int(), moveId: id.nullable() });
/** How many went back. */
export const returnedControllers = z.object({ count: z.number().int() });
