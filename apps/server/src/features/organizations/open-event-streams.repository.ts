import { rolesAllowed } from '@pult/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';
import { lacksSecondFactor } from './organizations.repository.ts';

/** What an open stream of events rests on. */
export interface EventStreamGrant {
  organizationId: string;
  userId: string;
  sessionId: string;
}

/** SQL that tells which open streams of events rest on nothing any more. `isTotpEnabled` is TOTP_AUTH_ENABLED. */
export function createOpenEventStreamsRepository(
  db: Database,
  { isTotpEnabled }: { isTotpEnabled: boolean },
) {
  const roles = rolesAllowed('controllers.read');

  return {
    /** The names of the grants that no longer hold. One statement, however many there are. */
    async listEnded(grants: ReadonlyMap<string, EventStreamGrant>, now: Date): Promise<string[]> {
      const asked = [...grants.values()];
      const { rows } = await sql<{ name: string }>`
        select asked.name
        from unnest(
          ${[...grants.keys()]}::text[],
          ${asked.map(({ organizationId }) => organizationId)}::uuid[],
          ${asked.map(({ userId }) => userId)}::uuid[],
          ${asked.map(({ sessionId }) => sessionId)}::uuid[]
        ) as asked (name, organization_id, user_id, session_id)
        left join sessions on sessions.id = asked.session_id and sessions.expires_at > ${now}
        left join users on users.id = asked.user_id
        left join organizations on organizations.id = asked.organization_id
        left join memberships on memberships.user_id = asked.user_id
          and memberships.organization_id = asked.organization_id
          and memberships.role = any(${[...roles]}::text[])
        where sessions.id is null or memberships.role is null or ${lacksSecondFactor(isTotpEnabled)}`.execute(
        db,
      );
      return rows.map(({ name }) => name);
    },
  };
}
export type OpenEventStreamsRepository = ReturnType<typeof createOpenEventStreamsRepository>;
