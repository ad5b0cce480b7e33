import type { TunnelEndReason } from '@pult/contract';
import { type SqlBool, sql } from 'kysely';
import { strongestRole } from '../../platform/access/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { lacksRequiredSignIn, type SshKeyOwner, sshCredentials } from '../accounts/index.ts';
import { lacksSecondFactor } from '../organizations/index.ts';
import { credentialVersion } from './credential-version.repository.ts';
import { rightHolder, rolesNeededFor, shutsGuestOut } from './guests/guest-rights.repository.ts';
import { isReservedPort, lacksForward } from './port-rights.repository.ts';
import type { ReservedPorts } from './port-rights.ts';
import type { TunnelAccess, TunnelTarget } from './tunnels.repository.ts';

/** What something open rests on. When any of it is no more, neither is what was opened. */
export interface TunnelGrant {
  userId: string;
  /** `credentialVersion` of the user when it was opened; of what a key has opened `sshCredentials`. */
  credentials: string;
  /** The ticket's tunnel; null for what a key has opened. */
  tunnelId: string | null;
  /** The login session or token of a ticket, or of a key that counts for minutes; null for what another key has opened. */
  sessionId: string | null;
  /** The key of a login at the jump host. */
  keyId: string | null;
  /** Null for such a login itself, which opens nothing yet. */
  target: TunnelTarget | null;
  /** Of a named endpoint of it. */
  port: number | null;
  /** Of a forwarding tunnel to it, for which another role is needed. */
  forwardedPort?: number | null;
}

/** What everything opened by a ticket or a tunnel's cookie rests on. */
export function grantOf(access: TunnelAccess): TunnelGrant {
  const { userId, tunnelId, sessionId, credentialVersion: credentials, port, forwardedPort } = access;
  const { controllerId, organizationId, enrolmentId, serialNumber } = access;
  const target = { controllerId, organizationId, enrolmentId, serialNumber };
  return { userId, credentials, tunnelId, sessionId, keyId: null, target, port, forwardedPort };
}

/** What a login by key rests on, and a channel to a controller that it has opened. */
export function grantOfKey(
  { userId, keyId, sessionId, credentials }: SshKeyOwner,
  target: TunnelTarget | null,
): TunnelGrant {
  return { userId, credentials, tunnelId: null, sessionId, keyId, target, port: null };
}

/** SQL that tells what open connections rest on no more. `isTotpEnabled` is TOTP_AUTH_ENABLED. */
export function createLiveTunnelsRepository(
  db: Database,
  { isTotpEnabled, reservedPorts }: { isTotpEnabled: boolean; reservedPorts: ReservedPorts },
) {
  const isReserved = isReservedPort(
    reservedPorts,
    sql.ref('controllers.connection_kind'),
    sql.ref('asked.port'),
  );
  const takesForward = sql<SqlBool>`(asked.is_forwarded or ${isReserved})`;
  const needed = rolesNeededFor(takesForward);

  return {
    /** Those of the grants that no longer hold, and why, by their names. One statement, however many there are. */
    async listEnded(
      grants: ReadonlyMap<string, TunnelGrant>,
      now: Date,
    ): Promise<{ name: string; reason: TunnelEndReason }[]> {
      const asked = [...grants.values()];
      const organization = sql.ref('asked.organization_id');
      const session = sql.ref('asked.session_id');
      const column = (read: (grant: TunnelGrant) => string | null | undefined) =>
        asked.map((grant) => read(grant) ?? null);
      const { rows } = await sql<{ name: string; reason: TunnelEndReason }>`
        select name, reason from (
          select asked.name, case
            when users.id is null then 'removed'
            when asked.controller_id is not null and controllers.id is null then 'controller_removed'
            when controllers.status_reason = 'detached' then 'controller_offline'
            when asked.organization_id is not null and memberships.role is null
              and ${strongestRole(rightHolder, organization, 'anywhere')} is null then 'removed'
            when asked.organization_id is not null and coalesce(held.role, '') <> all(${needed})
              then 'role_changed'
            when ${lacksForward(takesForward, session)} then 'port_reserved'
            when asked.credentials <> case when asked.key_id is null then ${credentialVersion} else ${sshCredentials} end
              then 'credentials_changed'
            when ${lacksSecondFactor(isTotpEnabled, session)} then 'second_factor_required'
            when ${lacksRequiredSignIn(session)} then 'sign_in_required'
            when ${shutsGuestOut(isTotpEnabled)} then 'removed'
            when asked.session_id is not null and sessions.id is null then 'session_ended'
            when asked.tunnel_id is not null and tunnels.id is null then 'expired'
            when asked.port is not null and controller_endpoints.port is null then 'service_removed'
            -- A key that counts for minutes is forgotten after them: what it has opened rests on its session.
            when asked.key_id is not null and asked.session_id is null and ssh_keys.id is null then 'key_deleted'
          end as reason
          from unnest(
            ${[...grants.keys()]}::text[],
            ${column(({ userId }) => userId)}::uuid[],
            ${column(({ credentials }) => credentials)}::text[],
            ${column(({ tunnelId }) => tunnelId)}::uuid[],
            ${column(({ sessionId }) => sessionId)}::uuid[],
            ${column(({ keyId }) => keyId)}::uuid[],
            ${column(({ target }) => target?.controllerId)}::uuid[],
            ${column(({ target }) => target?.organizationId)}::uuid[],
            ${column(({ target }) => target?.enrolmentId)}::uuid[],
            ${asked.map(({ port }) => port)}::integer[],
            ${asked.map(({ forwardedPort }) => (forwardedPort ?? null) !== null)}::boolean[]
          ) as asked (name, user_id, credentials, tunnel_id, session_id, key_id, controller_id, organization_id,
            enrolment_id, port, is_forwarded)
          left join users on users.id = asked.user_id
          left join controllers on controllers.id = asked.controller_id
            and controllers.organization_id = asked.organization_id
            and coalesce(controllers.enrolment_id, asked.enrolment_id) = asked.enrolment_id
          left join memberships on memberships.user_id = ${rightHolder}
            and memberships.organization_id = asked.organization_id
          -- Grants are looked for only where the membership does not do.
          cross join lateral (
            select case when memberships.role = any(${needed}) then memberships.role
              else ${strongestRole(rightHolder, organization, 'controller')} end as role
          ) held
          left join organizations on organizations.id = asked.organization_id
          left join sessions on sessions.id = asked.session_id and sessions.expires_at > ${now}
          left join tunnels on tunnels.id = asked.tunnel_id and tunnels.expires_at > ${now}
          -- Not one that was named anew since.
          left join controller_endpoints on controller_endpoints.controller_id = asked.controller_id
            and controller_endpoints.port = asked.port and controller_endpoints.created_at <= tunnels.created_at
          left join ssh_keys on ssh_keys.id = asked.key_id
        ) as looked where reason is not null`.execute(db);
      return rows;
    },

    /** Its cookie opens nothing more. */
    async deleteTunnel(tunnelId: string): Promise<void> {
      await db.deleteFrom('tunnels').where('id', '=', tunnelId).execute();
    },
  };
}
export type LiveTunnelsRepository = ReturnType<typeof createLiveTunnelsRepository>;
