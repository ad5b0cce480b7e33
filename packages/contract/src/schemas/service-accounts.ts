import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, requiredText, time } from './text.ts';

export const createServiceAccountRequest = z.strictObject({
  /** No email: nobody takes it for a person’s, in the audit log or at the jump host, where it is the user name. */
  name: requiredText(limits.serviceAccountNameLength).refine((name) => !name.includes('@'), 'name_no_email'),
});

export const serviceAccount = z.object({
  id,
  name: z.string(),
  createdAt: time,
  /** The email of who made it, or the name of a service account; null where that was a command on the server’s machine. */
  createdBy: z.string().nullable(),
  /** Tokens that are good, SSH keys, and rights that have not ended. */
  tokens: z.number().int(),
  sshKeys: z.number().int(),
  grants: z.number().int(),
  /** By whichever token or key, to a minute; null before the first. */
  lastUsedAt: time.nullable(),
  /** Whether the caller may delete it and change its tokens and keys: every right of it is one that they could give. */
  isManageable: z.boolean(),
});
export type ServiceAccount = z.infer<typeof serviceAccount>;
