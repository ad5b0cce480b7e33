import { rolesAllowed } from '@pult/contract';
import { sql } from 'kysely';
import type { Scope } from '../../platform/access/index.ts';
import { isGrantLive, strongestRole, visibleControllers } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { lacksRequiredSignIn } from '../accounts/index.ts';
import { lacksSecondFactor } from './organizations.repository.ts';

/** What an open stream of events rests on. */
export interface EventStreamGrant {
  organizationId: string;
  userId: string;
  sessionId: string;
  /** They have only a part of the organization, or may have it. */
  isPartial: boolean;
  /** What they have been granted, as it was looked at last; empty for nothing. */
  part: string;
}

/** What has changed of a stream's rights. */
export interface ChangedStream {
  name: string;
  isEnded: boolean;
  isPartial: boolean;
  part: string;
}

/** SQL that tells which open streams of events rest on nothing any more. `isTotpEnabled` is TOTP_AUTH_ENABLED. */
export function createOpenEventStreamsRepository(
  db: Database,
  { isTotpEnabled }: { isTotpEnabled: boolean },
) {
  const roles = rolesAllowed('controllers.read');

  return {
    /** Those that no longer hold, or show something else than before. One statement, however many there are. */
    async listChanged(grants: ReadonlyMap<string, EventStreamGrant>, now: Date): Promise<ChangedStream[]> {
      const asked = [...grants.values()];
      const [user, organization] = [sql.ref('asked.user_id'), sql.ref('asked.organization_id')];
      const session = sql.ref('asked.session_id');
      const { rows } = await sql<ChangedStream>`
        select name, "isEnded", "isPartial", part
        from (
          select asked.name, asked.is_partial, asked.part as known_part,
            sessions.id is null or ${lacksSecondFactor(isTotpEnabled, session)} or ${lacksRequiredSignIn(session)}
              or coalesce(${strongestRole(user, organization, 'anywhere')}, '') <> all(${[...roles]}::text[]) as "isEnded",
            ${strongestRole(user, organization, 'root')} is null as "isPartial",
            (select coalesce(string_agg(grants.id || grants.role, ' ' order by grants.id), '') from grants
              where grants.subject_user_id = asked.user_id and grants.organization_id = asked.organization_id
                and ${isGrantLive}) as part
          from unnest(
            ${[...grants.keys()]}::text[],
            ${asked.map(({ organizationId }) => organizationId)}::uuid[],
            ${asked.map(({ userId }) => userId)}::uuid[],
            ${asked.map(({ sessionId }) => sessionId)}::uuid[],
            ${asked.map(({ isPartial }) => isPartial)}::boolean[],
            ${asked.map(({ part }) => part)}::text[]
          ) as asked (name, organization_id, user_id, session_id, is_partial, part)
          left join sessions on sessions.id = asked.session_id and sessions.expires_at > ${now}
          left join users on users.id = asked.user_id
          left join organizations on organizations.id = asked.organization_id
        ) as looked
        where "isEnded" or "isPartial" <> is_partial or part <> known_part`.execute(db);
      return rows;
    },

    /** Those of the serial numbers that are in scope. */
    async listVisible(
      scope: Scope,
      organizationId: string,
      serialNumbers: readonly string[],
    ): Promise<Set<string>> {
      const rows = await db
        .selectFrom('controllers')
        .select('controllers.serial_number')
        .where('controllers.serial_number', '=', sql<string>`any(${[...serialNumbers]}::text[])`)
        .where(visibleControllers(scope, { organizationId }))
        .execute();
      return new Set(rows.map((row) => row.serial_number));
    },
  };
}
export type OpenEventStreamsRepository = ReturnType<typeof createOpenEventStreamsRepository>;
