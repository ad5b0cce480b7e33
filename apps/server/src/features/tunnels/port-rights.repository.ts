import { connectionKinds, type Permission } from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { ReservedPorts } from './port-rights.ts';

const forward: Permission = 'tunnels.forward';

/** Whether a port is reserved at a device of that kind, both as columns of the statement; false for no port. */
export function isReservedPort(
  reserved: ReservedPorts,
  kind: RawBuilder<unknown>,
  port: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const cases = connectionKinds.map((each) => sql`when ${each} then ${[...reserved[each]]}::integer[]`);
  return sql<SqlBool>`coalesce(${port} = any(case ${kind} ${sql.join(cases, sql` `)} end), false)`;
}

/**
 * What takes `tunnels.forward` is not for the row of `users`, whatever the role: it is a guest, or the session is that of a
 * token without the scope.
 */
export function lacksForward(
  takesForward: RawBuilder<SqlBool>,
  session: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${takesForward} and (users.kind = 'guest' or exists (
    select from access_tokens where access_tokens.id = ${session} and ${forward} <> all(access_tokens.scopes))))`;
}
