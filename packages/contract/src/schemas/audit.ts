import { z } from 'zod';
import { limits } from '../limits.ts';
import { auditActions } from '../values/audit.ts';
import { oneOrMoreOf, optionalQuery, pageOf, pageQuery, spreadsheetQuery } from './query.ts';
import { id, text, time } from './text.ts';

export const auditEvent = z.object({
  id,
  /** Of the first, where equal events of one minute are told as one. */
  at: time,
  /** How often, and when last. */
  count: z.number().int(),
  lastAt: time,
  action: z.enum(auditActions),
  /** Who did it; null for nobody known. Of a service account or a guest `email` is the name. */
  user: z.object({ id, email: z.string(), kind: z.enum(['service', 'guest']).optional() }).nullable(),
  /** What was acted on, as people know it: an email, a serial number, a name. */
  subject: z.string(),
  /** The client's network address. */
  address: z.string(),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  /** Serial numbers among the subject and the details of which the organization has a controller now. */
  existingControllers: z.array(z.string()),
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
  /** With `Accept: text/csv` alone. */
  ...spreadsheetQuery,
});
