import { z } from 'zod';
import { grantRoles, roles } from '../permissions.ts';
import { optionalQuery } from './query.ts';
import { id, serialNumber, time } from './text.ts';

const grantSubject = z.strictObject({ type: z.enum(['user', 'service']), id });

/** Where a right counts: the organization, a group with all under it, or one controller by its serial number. */
export const grantPlace = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('organization'), id }),
  z.strictObject({ type: z.literal('group'), id }),
  z.strictObject({ type: z.literal('controller'), id: serialNumber }),
]);
export type GrantPlace = z.infer<typeof grantPlace>;

export const createGrantRequest = z.strictObject({
  subject: grantSubject,
  scope: grantPlace,
  role: z.enum(grantRoles),
  until: time.nullable().optional(),
});

/** A place as it is shown. */
export const shownPlace = z.object({
  type: z.enum(['organization', 'group', 'controller']),
  id: z.string(),
  name: z.string(),
  /** The names of the groups above it, from the root. */
  path: z.array(z.string()),
});
export type ShownPlace = z.infer<typeof shownPlace>;

export const grant = z.object({
  /** Null: a member’s role in the organization, which the calls of members change. */
  id: id.nullable(),
  /** `name` is the email of a user, or the name of a service account. */
  subject: z.object({ type: z.enum(['user', 'service']), id, name: z.string() }),
  scope: shownPlace,
  role: z.enum(roles),
  until: time.nullable(),
  /** The email or name of who gave it; null when that account is gone, and of a member’s role. */
  grantedBy: z.string().nullable(),
  createdAt: time,
  /** A right of a service account whose giver could not give it any more: for the owner to look at. */
  isUnbacked: z.boolean(),
  /** By a group at the identity provider: it goes with that, and nobody ends it here. */
  isByProvider: z.boolean().optional(),
});
export type Grant = z.infer<typeof grant>;

/** What reaches this controller or group, from above too; what this user or service account has. */
export const listGrantsQuery = z.strictObject({
  subject: optionalQuery(id),
  controller: optionalQuery(serialNumber),
  group: optionalQuery(id),
});
