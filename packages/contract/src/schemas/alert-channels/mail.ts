import { z } from 'zod';
import { limits } from '../../limits.ts';
import { id } from '../text.ts';

const members = z
  .array(id)
  .max(limits.membersPerAlertRule)
  .transform((ids) => [...new Set(ids)]);

/** Mails to members of the organization. */
export const mailFields = {
  rule: {
    /** Who get mails. */
    members: z.array(z.object({ userId: id, email: z.string() })),
  },
  create: { members: members.default([]) },
  update: { members: members.optional() },
  saved: {},
  tested: {
    /** How many mails were put on their way to the mail server. */
    mails: z.number().int(),
    /** How many are stored and reach nobody: this server has no mail server. */
    mailsKept: z.number().int(),
  },
};
