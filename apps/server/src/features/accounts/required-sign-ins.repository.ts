import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether the organization of a row wants a sign-in by its identity provider that a login is none of; of the tables `organizations`
 * and `users` of the query. `sessionId` names the login; null of an SSH key. A browser's session has to be such a
 * sign-in itself, a token or a key counts while its owner is signed in anywhere. One owner is exempt.
 */
export function lacksRequiredSignIn(sessionId: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(organizations.sign_in_required
    and lacks_required_sign_in(organizations.id, users.id, ${sessionId}))`;
}

/** The ids of the organizations that are closed to a login of the row of `users`, as an array. */
export function closedOrganizations(sessionId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`closed_organizations(users.id, ${sessionId})`;
}
