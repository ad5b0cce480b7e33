import { z } from 'zod';
import { limits } from '../limits.ts';
import { oneOrMoreOf, optionalQuery, pageOf, pageQuery } from './query.ts';
import { id, text, time } from './text.ts';

/** Every kind of security event: `<what>.<happened>`. Those of an organization are shown to its admins. */
export const auditActions = [
  'login.succeeded',
  'login.refused',
  'logout',
  'password.changed',
  'password.change_refused',
  'password.reset_requested',
  'password.reset',
  'totp.enabled',
  'totp.disabled',
  'totp.reset',
  'totp.confirmed',
  'totp.refused',
  'recovery_code.used',
  'recovery_codes.regenerated',
  'sessions.terminated',
  'user.created',
  'organization.created',
  'organization.updated',
  'organization.deleted',
  'member.invited',
  'invite.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'member.left',
  'access.refused',
  'controller.activated',
  'controller.updated',
  'controller.deleted',
  'controllers.attached',
  'controllers.detached',
  'group.created',
  'group.updated',
  'group.deleted',
  'diagnostic.requested',
  'diagnostic.downloaded',
  'service.created',
  'service.updated',
  'service.deleted',
  'tunnel.opened',
  'tunnel.ended',
  'terminal.opened',
  'terminal.closed',
  'file.downloaded',
  'file.uploaded',
  'ssh_key.added',
  'ssh_key.deleted',
  'ssh_session.opened',
  'ssh_session.closed',
  'ssh_session.refused',
  'alert_rule.created',
  'alert_rule.updated',
  'alert_rule.deleted',
  'alert_rule.tested',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditEvent = z.object({
  id,
  at: time,
  action: z.enum(auditActions),
  /** Who did it; null for nobody known. */
  user: z.object({ id, email: z.string() }).nullable(),
  /** What was acted on, as people know it: an email, a serial number, a name. */
  subject: z.string(),
  /** The client's network address. */
  address: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
});
export type AuditEvent = z.infer<typeof auditEvent>;
export const auditPage = pageOf(auditEvent);

/** A moment as the query gives it: RFC 3339 with an offset or Z. */
const moment = optionalQuery(z.iso.datetime({ offset: true }));

export const listAuditQuery = z.strictObject({
  ...pageQuery,
  action: oneOrMoreOf(auditActions),
  /** The email of who did it contains this. */
  user: optionalQuery(text(limits.filterLength)),
  /** The subject contains this. */
  subject: optionalQuery(text(limits.filterLength)),
  /** At or after. */
  from: moment,
  /** Before. */
  to: moment,
});
