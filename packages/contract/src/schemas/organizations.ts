import { z } from 'zod';
import { limits } from '../limits.ts';
import { roles } from '../permissions.ts';
import { id, requiredText } from './text.ts';

export const organization = z.object({
  id,
  name: z.string(),
  totpRequired: z.boolean(),
  /** The caller's role in it. */
  userRole: z.enum(roles),
});
export type Organization = z.infer<typeof organization>;

export const createOrganizationRequest = z.strictObject({ name: requiredText(limits.nameLength) });
