import { type RawBuilder, type SqlBool, sql } from 'kysely';

/**
 * Whether the organization of a row wants a sign-in by its identity provider that a login is none of; of the tables `organizations`
 * and `users` of the query. `sessionId` names the login; null of an SSH key. A browser's session has to be such a
 * sign-in itself, a token or a key counts while its owner is signed in anywhere. One owner is exempt.
 */
export function lacksRequiredSignIn(sessionId: RawBuilder<unknown>): RawBuilder<SqlBool> {
  return sql<SqlBool>`(organizations.sign_in_required and users.kind = 'person'
    and organizations.break_glass_user_id is distinct from users.id
    and not exists (
      select from sessions as proof join identities on identities.id = proof.identity_id
      where proof.user_id = users.id and proof.expires_at > now()
        -- The installation's provider signs in where the organization has none of its own.
        and (identities.organization_id = organizations.id or (identities.organization_id is null and not exists (
          select from identity_providers where identity_providers.organization_id = organizations.id)))
        and (proof.id = ${sessionId} or not exists (
          select from sessions as own where own.id = ${sessionId} and not own.is_token))))`;
}

/** The ids of the organizations that are closed to a login of the row of `users`, as an array. */
export function closedOrganizations(sessionId: RawBuilder<unknown>): RawBuilder<string[]> {
  return sql<string[]>`array(
    select organizations.id from organizations
    where ${lacksRequiredSignIn(sessionId)} and (
      exists (select from memberships
        where memberships.user_id = users.id and memberships.organization_id = organizations.id)
      or exists (select from grants
        where grants.subject_user_id = users.id and grants.organization_id = organizations.id)))`;
}
