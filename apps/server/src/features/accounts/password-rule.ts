import { limits, normalizeEmail } from '@pult/contract';
import { FieldError } from '../../platform/errors.ts';

/** Those that a patient guesser tries first. Shorter ones are refused by their length already. */
const commonCount = 3000;

let common: Promise<ReadonlySet<string>> | undefined;

/** Loaded at the first password that is set: logging in needs no dictionary. */
async function loadCommonPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const longEnough = dictionary['passwords-common'].filter(
    ({ length }) => length >= limits.passwordMinLength,
  );
  return new Set(longEnough.slice(0, commonCount));
}

/**
 * What no schema can say of a new password: it is not a common one, nor the email or what stands before its @, in
 * any case of the letters. Throws a FieldError of `field`.
 */
export async function requireGoodPassword(field: string, password: string, email: string): Promise<void> {
  const lower = password.toLowerCase();
  if ([email, email.split('@')[0]].includes(lower) || normalizeEmail(password) === email)
    throw new FieldError(field, 'password_is_email');
  common ??= loadCommonPasswords();
  if ((await common).has(lower)) throw new FieldError(field, 'password_common');
}
