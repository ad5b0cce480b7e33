import { z } from 'zod';
import { limits } from '../limits.ts';
import { roles } from '../permissions.ts';
import { grantPlace, shownPlace } from './grants.ts';
import { emailAddress, id, requiredText, secretToken, time } from './text.ts';

const role = z.enum(roles);

export const organization = z.object({
  id,
  name: z.string(),
  totpRequired: z.boolean(),
  /** Entered by a sign-in at its identity provider alone, but for one owner. */
  signInRequired: z.boolean().optional(),
  /** True: this login is no such sign-in. */
  isSignInMissing: z.boolean().optional(),
  /** The caller's role in it; of somebody with only a part of it the strongest that they have anywhere. */
  userRole: role,
  /** The caller sees only what of its tree was granted to them. */
  isPartial: z.boolean().optional(),
  /**
   * In the answer to the call for this one: the cursor of its event stream. What is read after that answer, and a stream
   * that begins at this cursor, have nothing between them.
   */
  eventCursor: z.string().optional(),
  /** In the same answer and that of a change: services may be shared with guests. */
  guestsAllowed: z.boolean().optional(),
});
export type Organization = z.infer<typeof organization>;

export const createOrganizationRequest = z.strictObject({ name: requiredText(limits.nameLength) });
export const updateOrganizationRequest = z.strictObject({
  name: requiredText(limits.nameLength).optional(),
  totpRequired: z.boolean().optional(),
  guestsAllowed: z.boolean().optional(),
});

export const member = z.object({
  userId: id,
  email: z.string(),
  role,
  /** Null for whoever may not manage members: whom to attack is nobody's business. */
  totpEnabled: z.boolean().nullable(),
  joinedAt: time,
});
export type Member = z.infer<typeof member>;
export const updateMemberRequest = z.strictObject({ role });

/**
 * With `scope` a part of the organization, until its end: a grant instead of membership. Whoever has a part themselves
 * invites below it only.
 */
export const inviteRequest = z
  .strictObject({
    email: emailAddress,
    role: role.default('member'),
    scope: grantPlace.optional(),
    until: time.nullable().optional(),
  })
  .superRefine(({ role: asked, scope, until }, context) => {
    const isPart = scope !== undefined && scope.type !== 'organization';
    if (isPart && asked === 'owner') context.addIssue({ code: 'custom', path: ['role'], message: 'invalid' });
    if (until && !isPart) context.addIssue({ code: 'custom', path: ['until'], message: 'invalid' });
  });
/** `inviteUrl` only where no mail can be sent: whoever invites hands the link over. */
export const inviteAnswer = z.object({ id, inviteUrl: z.string().optional() });
export const invite = z.object({
  id,
  email: z.string(),
  role,
  /** Of an invite to a part of the organization. */
  scope: shownPlace.optional(),
  until: time.optional(),
  /** The email of who invited; null when that account is gone. */
  invitedBy: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
});
export type Invite = z.infer<typeof invite>;

export const inviteTokenRequest = z.strictObject({ organizationInviteToken: secretToken });
export const inviteValidation = z.object({
  invitedUserEmail: z.string(),
  userExists: z.boolean(),
  organizationToJoin: z.object({ name: z.string() }),
});
export type InviteValidation = z.infer<typeof inviteValidation>;
