import { rolesAllowed } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whose right something open rests on, of the row of `users`: a guest has none, but that of who made the link. */
export const rightHolder = sql`case when users.kind = 'guest' then users.created_by else users.id end`;

/** The roles of which that holder has to have one at the controller, as an array. */
export const rolesNeeded = sql`case when users.kind = 'guest'
  then ${[...rolesAllowed('guests.manage')]}::text[] else ${[...rolesAllowed('tunnels.open')]}::text[] end`;

/** The same where it takes `tunnels.forward`, which is for no guest, whatever the role (`lacksForward`). */
export const rolesNeededFor = (takesForward: RawBuilder<unknown>) => sql`case when ${takesForward}
  then ${[...rolesAllowed('tunnels.forward')]}::text[] else ${rolesNeeded} end`;

/** The user is a guest, and the row of `organizations` lets none in. `isTotpEnabled` is TOTP_AUTH_ENABLED. */
export function shutsGuestOut(isTotpEnabled: boolean) {
  return sql<SqlBool>`(users.kind = 'guest' and (not organizations.guests_allowed
    or organizations.id <> users.belongs_to or (${isTotpEnabled}::boolean and organizations.totp_required)))`;
}
