import { z } from 'zod';
import { limits } from '../limits.ts';
import { enrolmentKeyStates } from '../values/enrolment-keys.ts';
import { id, requiredText, time } from './text.ts';

export const createEnrolmentKeyRequest = z.strictObject({
  name: requiredText(limits.enrolmentKeyNameLength),
  /** Where its controllers land; without one in no group. */
  group: id.nullable().optional(),
  maxUses: z.number().int().min(1).max(limits.enrolmentKeyUsesMax),
  expiresAt: time,
});

export const enrolmentKey = z.object({
  id,
  name: z.string(),
  /** How the key begins, to tell it from others: the key itself is shown once. */
  prefix: z.string(),
  /** Null where it has none, or that was deleted. */
  group: z.object({ id, name: z.string() }).nullable(),
  uses: z.number().int(),
  maxUses: z.number().int(),
  expiresAt: time,
  state: z.enum(enrolmentKeyStates),
  /** The email of who created it; null when that account is gone. */
  createdBy: z.string().nullable(),
  createdAt: time,
  lastUsedAt: time.nullable(),
});
export type EnrolmentKey = z.infer<typeof enrolmentKey>;

/** The only answer that has the key. */
export const createdEnrolmentKey = enrolmentKey.extend({ key: z.string() });
export type CreatedEnrolmentKey = z.infer<typeof createdEnrolmentKey>;
