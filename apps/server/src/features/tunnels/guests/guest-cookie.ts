import { fastifyCookie } from '@fastify/cookie';
import { guestTerminalPath } from '@pult/contract';
import { readCookie } from '../../../platform/http/read-cookie.ts';

/** Of one link, sent to the path of guests' terminals alone: no call of the API ever has it. */
const nameOf = (guestId: string) => `pult_guest_${guestId}`;

export function serializeGuestCookie(
  { guestId, secret, expiresAt }: { guestId: string; secret: string; expiresAt: Date },
  { isSecure }: { isSecure: boolean },
): string {
  const attributes = {
    path: guestTerminalPath,
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure,
  } as const;
  return fastifyCookie.serialize(nameOf(guestId), secret, { ...attributes, expires: expiresAt });
}

export const readGuestCookie = (header: string | undefined, guestId: string) =>
  readCookie(header, nameOf(guestId));
