import { z } from 'zod';
import { limits } from '../limits.ts';
import { locales } from '../locale.ts';
import { id, requiredText, secret } from './text.ts';

export const loginRequest = z.strictObject({
  // Not the email schema: an address that cannot exist is answered as a wrong one, not as a bad field.
  username: requiredText(limits.emailLength).toLowerCase(),
  password: secret(1000),
  totpCode: requiredText(limits.emailLength).optional(),
  recoveryCode: requiredText(limits.emailLength).optional(),
});

/** `access` is a JWT for the Authorization header, good for 15 minutes. */
export const loginAnswer = z.object({ access: z.string() });

export const user = z.object({
  id,
  email: z.string(),
  totpEnabled: z.boolean(),
  hasRecoveryCodes: z.boolean(),
  hasTotpRequiredOrg: z.boolean(),
  locale: z.enum(locales),
});
export type User = z.infer<typeof user>;
