import { rolesAllowed } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

/** Whose right something open rests on, of the row of `users`: a guest has none, but that of who made the link. */
export const rightHolder = sql`case when users.kind = 'guest' then users.created_by else users.id end`;

/** The roles of which that holder has to have one at the controller, as an array. */
export const rolesNeeded = sql`case when users.kind = 'guest'
  then ${[...rolesAllowed('guests.manage')]}::text[] else ${[...rolesAllowed('tunnels.open')]}::text[] end`;

/** The same of a tunnel to a port that may have no name: that is for whoever may reach all of them, and for no guest. */
export const rolesNeededFor = (isForwarded: RawBuilder<unknown>) => sql`case when ${isForwarded}
  then ${[...rolesAllowed('tunnels.forward')]}::text[] else ${rolesNeeded} end`;

/** The user is a guest, and the row of `organizations` lets none in. `isTotpEnabled` is TOTP_AUTH_ENABLED. */
export function shutsGuestOut(isTotpEnabled: boolean) {
  return sql<SqlBool>`(users.kind = 'guest' and (not organizations.guests_allowed
    or organizations.id <> users.belongs_to or (${isTotpEnabled}::boolean and organizations.totp_required)))`;
}
