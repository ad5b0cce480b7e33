import { z } from 'zod';
import { limits } from '../limits.ts';
import { emailPattern, normalizeEmail } from '../values/email.ts';
import { isCleanText } from '../values/text.ts';

/** A text of a person: trimmed, no control characters, at most `maxLength` characters (code points). A longer one is not looked into. */
export function text(maxLength: number) {
  return z.string().trim().max(maxLength, { abort: true }).refine(isCleanText, 'control_characters');
}

/** The same, and not empty. */
export function requiredText(maxLength: number) {
  return text(maxLength).min(1);
}

/** Kept as typed: spaces count in a password and in a key. */
export function secret(maxLength: number) {
  return z
    .string()
    .min(1)
    .max(maxLength)
    .refine((value) => !value.includes('\u0000'), 'control_characters');
}

/** Upper-cased (spec-coverage: Serial numbers are normalised to upper case). Anything else cannot name a controller. */
export const serialNumber = z
  .string()
  .max(limits.serialNumberLength)
  .toUpperCase()
  .refine((value) => /^(?!.*--)[A-Z0-9](?:[A-Z0-9-]*[A-Z0-9])?$/.test(value), 'serial_number');

/** Lower-cased (spec-coverage: Login lower-cases the username): one person is one account however the address is typed. */
export const emailAddress = text(limits.emailLength)
  .overwrite(normalizeEmail)
  .pipe(z.email({ pattern: emailPattern }).max(limits.emailLength));

/** A secret of a link. What cannot be one is answered by the call as a wrong one. */
export const secretToken = requiredText(limits.secretTokenLength);

/** Lower-cased, as the database writes it: one thing has one id in events, limits and logs. */
export const id = z.uuid().toLowerCase();
/** RFC 3339, UTC. */
export const time = z.iso.datetime();
