import { z } from 'zod';
import { limits } from '../limits.ts';
import { controller } from './controllers.ts';
import { id, requiredText } from './text.ts';

export const searchQuery = z.strictObject({
  /** Words, each of which must be found: in the serial number, description, firmware version or name of the group. */
  search: requiredText(limits.filterLength),
});

const foundGroup = z.object({
  id,
  name: z.string(),
  /** The names of the groups above it, from the root. */
  path: z.array(z.string()),
  organization: z.object({ id, name: z.string() }),
});
export type FoundGroup = z.infer<typeof foundGroup>;

export const searchResults = z.object({
  /** This very serial number first, then those that begin so, then the others. */
  controllers: z.array(controller).max(limits.foundControllers),
  /** By name: this very name first, then those that begin so, then the others. */
  groups: z.array(foundGroup).max(limits.foundGroups),
});
export type SearchResults = z.infer<typeof searchResults>;
