import { lifetimes } from './limits.ts';

/**
 * What a user with TOTP confirms by a code before it is done; a confirmation holds for one scope of one session,
 * for `confirmationLifetime`.
 */
export const totpScopes = [
  'delete_controller',
  'change_org_totp',
  'delete_organization',
  'change_password',
  'disable_user_totp',
  'regenerate_recovery_codes',
  'add_ssh_key',
  'administer_installation',
  'add_token',
  'manage_passkeys',
  'manage_sign_in',
] as const;
export type TotpScope = (typeof totpScopes)[number];

/** Seconds. A page that asks again and again cannot ask people for a code each time. */
export function confirmationLifetime(scope: TotpScope): number {
  return scope === 'administer_installation' ? lifetimes.administration : lifetimes.totpConfirmation;
}
