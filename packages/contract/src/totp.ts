/**
 * What a user with TOTP confirms by a code before it is done; a confirmation holds for one scope of one session,
 * for `lifetimes.totpConfirmation`.
 */
export const totpScopes = [
  'delete_controller',
  'change_org_totp',
  'delete_organization',
  'change_password',
  'disable_user_totp',
  'regenerate_recovery_codes',
  'add_ssh_key',
] as const;
export type TotpScope = (typeof totpScopes)[number];
