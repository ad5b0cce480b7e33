import type { Device, Installation } from './installation.ts';

/** The pages before a login, each of another heading than the one before it. */
export const openPages = [
  '/signup',
  '/password-reset/',
  '/password-reset/uid/token/',
  '/login/complete?error=sign_in_denied',
] as const;

/** The pages of somebody logged in, after `/controllers`; each of another heading than the one before it. */
export function listInsidePages(
  { organization }: Pick<Installation, 'organization'>,
  { serialNumber }: Pick<Device, 'serialNumber'>,
): string[] {
  const own = `/organizations/${organization.id}`;
  return [
    '/organizations',
    '/installation',
    own,
    `${own}/access`,
    `${own}/settings/general`,
    `${own}/connections`,
    `${own}/settings/notifications`,
    `${own}/audit`,
    `${own}/settings/webhooks`,
    `${own}/alerts`,
    `${own}/monitoring`,
    `${own}/controllers`,
    '/security',
    `${own}/controllers?search=nothing-like-this`,
    '/device',
    `${own}/controllers/${serialNumber}`,
    `/connect/ssh/${serialNumber}/`,
  ];
}
