import { rolesAllowed } from '@pult/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/schema.ts';
import { type SshKeyOwner, sshCredentials } from '../../accounts/index.ts';

/**
 * What a login by key has opened: with a controller a channel to it, without one the connection itself. Its text is its
 * name in the register of live tunnels.
 */
export function formatGrant({ keyId, credentials }: SshKeyOwner, controllerId = ''): string {
  return [keyId, credentials, controllerId].join('/');
}

function readGrant(grant: string) {
  const [keyId = '', credentials = '', controllerId = ''] = grant.split('/');
  return { keyId, credentials, controllerId: controllerId || null };
}

/** SQL of what was opened by keys. `isTotpKnown` is TOTP_AUTH_ENABLED. */
export function createJumpRepository(db: Database, { isTotpKnown }: { isTotpKnown: boolean }) {
  const roles = rolesAllowed('tunnels.open');

  return {
    /**
     * Which of these still hold: the key is there, neither password nor second factor of its owner has changed since,
     * and the owner may still open tunnels to the controller.
     */
    async listHolding(grants: readonly string[]): Promise<string[]> {
      const read = grants.map(readGrant);
      const { rows } = await sql<{ grant: string }>`
        select asked."grant" from unnest(
          ${[...grants]}::text[],
          ${read.map(({ keyId }) => keyId)}::uuid[],
          ${read.map(({ credentials }) => credentials)}::text[],
          ${read.map(({ controllerId }) => controllerId)}::uuid[]
        ) as asked ("grant", key_id, credentials, controller_id)
        join ssh_keys on ssh_keys.id = asked.key_id
        join users on users.id = ssh_keys.user_id
        where asked.credentials = ${sshCredentials} and (
          asked.controller_id is null or exists (
            select from controllers
            join memberships using (organization_id)
            join organizations on organizations.id = memberships.organization_id
            where controllers.id = asked.controller_id
              and memberships.user_id = users.id
              and memberships.role = any(${[...roles]}::text[])
              and (not ${isTotpKnown}::boolean or not organizations.totp_required or users.totp_secret is not null)
          )
        )`.execute(db);
      return rows.map(({ grant }) => grant);
    },
  };
}
