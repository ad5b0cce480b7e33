import { type ErrorCode, formatError } from '@pult/contract';
import { limits } from '@pult/contract/values';
import { useLocale } from '../../shared/i18n/i18n.ts';

/** What the server’s redirect may say. Anybody can send a link with another code: that is told as a plain refusal. */
const codes = [
  'sign_in_expired',
  'sign_in_refused',
  'sign_in_denied',
  'sign_in_email_unverified',
  'sign_in_no_account',
  'sign_in_without_rights',
  'provider_unavailable',
  'identity_taken',
  'identities_limit_reached',
] as const satisfies ErrorCode[];

/** Loaded only by who needs it: it brings the texts of all errors. */
export function SignInFailure({ code }: { code: string }) {
  const known = codes.find((each) => each === code) ?? 'sign_in_refused';
  return formatError(known, useLocale(), { limit: limits.identitiesPerUser });
}
