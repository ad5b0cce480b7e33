import type { ConnectionKind, Role } from '@pult/contract';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/schema.ts';
import type { Actor } from '../../platform/http/principal.ts';
import {
  organizationsInScope,
  regardlessOfLogin,
  type Scope,
  strongestRole,
} from '../organizations/index.ts';

/** What somebody is at a controller. */
export interface ControllerStanding {
  organizationId: string;
  /** Of the organization. */
  name: string;
  totpRequired: boolean;
  role: Role;
  /** Of the organization as a whole. */
  rootRole: Role | null;
  groupId: string | null;
  connectionKind: ConnectionKind;
}

/** SQL of what somebody may do at controllers. */
export function createStandingRepository(db: Database) {
  return {
    /** The controller's organization and the caller's role at it, when it is theirs at all; TOTP is not asked for. */
    async getStanding(actor: Actor, serialNumber: string): Promise<ControllerStanding | undefined> {
      const organizationId = sql.ref('controllers.organization_id');
      const row = await db
        .selectFrom('controllers')
        .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
        .select(['organizations.id as organizationId', 'organizations.name'])
        .select('organizations.totp_required as totpRequired')
        .select(strongestRole(sql`${actor.userId}`, organizationId, 'controller').as('role'))
        .select(strongestRole(sql`${actor.userId}`, organizationId, 'root').as('rootRole'))
        .select(['controllers.group_id as groupId', 'controllers.connection_kind as connectionKind'])
        .where('controllers.serial_number', '=', serialNumber)
        .$if(actor.signedInto !== undefined, (query) =>
          query.where('organizations.id', '=', actor.signedInto ?? ''),
        )
        .executeTakeFirst();
      return row?.role ? { ...row, role: row.role } : undefined;
    },

    /** Whether any organization is in scope as a whole; how its user has logged in is not asked for. */
    async hasWholeOrganization(scope: Scope): Promise<boolean> {
      const whole = organizationsInScope(regardlessOfLogin(scope));
      const { rows } = await sql`select from ${whole} as whole limit 1`.execute(db);
      return rows.length > 0;
    },
  };
}
