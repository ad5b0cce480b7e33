import type { ConnectionKind, ControllerStatus, Role } from '@pult/contract';
import { sql } from 'kysely';
import {
  roleAtController,
  type Scope,
  strongestRole,
  visibleControllers,
} from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import type { Actor } from '../../platform/http/principal.ts';
import type { MailRecipient } from '../../platform/mail/index.ts';
import type { Enrolment } from '../devices/index.ts';

export interface ActivationAccess {
  /** Of the organization. */
  name: string;
  totpRequired: boolean;
  rootRole: Role | null;
  strongestRole: Role | null;
  /** In the group that was asked for. */
  role: Role | null;
}

/** Any constant will do, as long as nothing else takes it: it serializes the counting of a licence. */
const licenceLock = 7_305_001;

/** A controller that has the serial number of a claim. */
export interface ClaimedController {
  id: string;
  organizationId: string;
  connectionKind: ConnectionKind;
  /** Null where its device has left. */
  enrolmentId: string | null;
  sshHostKey: Buffer | null;
}

/** The same, as somebody sees it who looks before they claim. */
interface PresentController extends Omit<ClaimedController, 'id' | 'sshHostKey'> {
  organizationName: string;
  publicKey: Buffer;
  model: string;
  status: ControllerStatus;
  lastSeenAt: Date | null;
  /** The caller's at it. */
  role: Role;
}

/** SQL of claiming. What changes anything runs inside the claim's transaction. */
export const activationRepository = {
  /** Keeps the organization from being deleted until the claim is done; taken before all else, as its deletion does. */
  async holdOrganization(transaction: DatabaseTransaction, organizationId: string): Promise<void> {
    await transaction
      .selectFrom('organizations')
      .select('id')
      .where('id', '=', organizationId)
      .forKeyShare()
      .execute();
  },

  /**
   * The caller's roles in the organization and in one of its groups, held until the claim is done: one taken away at the
   * same moment waits or wins. Undefined where they have nothing of it.
   */
  async getAccess(
    transaction: DatabaseTransaction,
    actor: Actor,
    { organizationId, groupId }: { organizationId: string; groupId: string | null },
  ): Promise<ActivationAccess | undefined> {
    await activationRepository.holdOrganization(transaction, organizationId);
    const user = sql`${actor.userId}`;
    await sql`select from memberships
      where user_id = ${user} and organization_id = ${organizationId} for share`.execute(transaction);
    await sql`select from grants
      where subject_user_id = ${user} and organization_id = ${organizationId} for share`.execute(transaction);
    const organization = sql.ref('organizations.id');
    const row = await transaction
      .selectFrom('organizations')
      .select(['name', 'totp_required as totpRequired'])
      .select([
        strongestRole(user, organization, 'root').as('rootRole'),
        strongestRole(user, organization, 'anywhere').as('strongestRole'),
        strongestRole(user, organization, groupId === null ? 'root' : { groupId }).as('role'),
      ])
      .where('id', '=', organizationId)
      .$if(actor.signedInto !== undefined, (query) => query.where('id', '=', actor.signedInto ?? ''))
      .executeTakeFirst();
    return row && row.strongestRole !== null ? row : undefined;
  },

  /** Whether there is such a group; it stays until the transaction ends. */
  async holdGroup(
    transaction: DatabaseTransaction,
    organizationId: string,
    groupId: string,
  ): Promise<boolean> {
    const group = await transaction
      .selectFrom('groups')
      .select('id')
      .where('organization_id', '=', organizationId)
      .where('id', '=', groupId)
      .forKeyShare()
      .executeTakeFirst();
    return group !== undefined;
  },

  /** The caller's role at the controller of this serial number, if the organization has it. */
  async getRoleAt(
    transaction: DatabaseTransaction,
    actor: Actor,
    { organizationId, serialNumber }: { organizationId: string; serialNumber: string },
  ): Promise<Role | null> {
    const row = await transaction
      .selectFrom('controllers')
      .select(
        strongestRole(sql`${actor.userId}`, sql.ref('controllers.organization_id'), 'controller').as('role'),
      )
      .where('serial_number', '=', serialNumber)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row?.role ?? null;
  },

  /** Counts all controllers, one claim at a time, so that a limit holds however many race for it. */
  async countForLicence(transaction: DatabaseTransaction): Promise<number> {
    await sql`select pg_advisory_xact_lock(${licenceLock})`.execute(transaction);
    const { count } = await transaction
      .selectFrom('controllers')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow();
    return count;
  },

  /** The controller of this serial number, of any organization; held if there is one. */
  lockController: (
    transaction: DatabaseTransaction,
    serialNumber: string,
  ): Promise<ClaimedController | undefined> =>
    transaction
      .selectFrom('controllers')
      .select(['id', 'organization_id as organizationId', 'connection_kind as connectionKind'])
      .select(['enrolment_id as enrolmentId', 'ssh_host_key as sshHostKey'])
      .where('serial_number', '=', serialNumber)
      .forUpdate()
      .executeTakeFirst(),

  /** Of the device of one that `lockController` holds; whoever waited for it reads what was written meanwhile. */
  async getPublicKey(transaction: DatabaseTransaction, { enrolmentId }: ClaimedController): Promise<Buffer> {
    const query = transaction
      .selectFrom('enrolments')
      .select('public_key')
      .where('id', '=', sql<string>`${enrolmentId}`);
    return (await query.executeTakeFirstOrThrow()).public_key;
  },

  /** The controller of this serial number, where the caller sees it. */
  findPresent: (db: Database, scope: Scope, serialNumber: string): Promise<PresentController | undefined> =>
    db
      .selectFrom('controllers')
      .innerJoin('enrolments', 'enrolments.id', 'controllers.enrolment_id')
      .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
      .select(['controllers.organization_id as organizationId', 'organizations.name as organizationName'])
      .select(['controllers.enrolment_id as enrolmentId', 'enrolments.public_key as publicKey'])
      .select(['controllers.connection_kind as connectionKind', 'controllers.model'])
      .select(['controllers.status', 'controllers.last_seen_at as lastSeenAt'])
      .select(roleAtController(scope).as('role'))
      .where('controllers.serial_number', '=', serialNumber)
      .where(visibleControllers(scope))
      .executeTakeFirst(),

  /** Everybody, programs left out, who has one of these roles at the controller. */
  listPeople: (
    transaction: DatabaseTransaction,
    controllerId: string,
    roles: readonly Role[],
  ): Promise<(MailRecipient & { organization: string })[]> => {
    const organizationId = sql.ref('controllers.organization_id');
    const isOfOrganization = sql<boolean>`users.id in (
      select user_id from memberships where memberships.organization_id = ${organizationId}
      union select subject_user_id from grants where grants.organization_id = ${organizationId})`;
    return transaction
      .selectFrom('controllers')
      .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
      .innerJoin('users', (join) => join.on(isOfOrganization))
      .select(['users.email', 'users.locale', 'organizations.name as organization'])
      .where('controllers.id', '=', controllerId)
      .where('users.kind', '=', 'person')
      .where(strongestRole(sql.ref('users.id'), organizationId, 'controller'), 'in', roles)
      .orderBy('users.email')
      .execute();
  },

  /**
   * Makes the controller, or binds one of the same organization to its device, with all else it had. False when another organization has
   * this serial number, or this one has it since a moment ago.
   */
  async saveController(
    transaction: DatabaseTransaction,
    controller: {
      id: string;
      organizationId: string;
      enrolment: Enrolment;
      /** Of a new one. */
      groupId: string | null;
      /** Whether there is none yet. */
      isAdded: boolean;
      isLinked: boolean;
      now: Date;
    },
  ): Promise<boolean> {
    const { enrolment, now, isLinked, isAdded } = controller;
    const device = {
      enrolment_id: enrolment.id,
      model: enrolment.model,
      firmware_version: enrolment.firmware_version,
      agent_version: enrolment.agent_version,
      connection_kind: enrolment.connection_kind,
    };
    const seen = {
      status: isLinked ? ('online' as const) : ('never' as const),
      status_reason: isLinked ? ('link' as const) : ('never_seen' as const),
      status_since: now,
      last_seen_at: isLinked ? now : null,
    };
    // Of one that is detached: it is offline as any other from now on.
    const unlessDetached = (column: 'status_reason' | 'status_since', value: string | Date) =>
      sql<never>`case when controllers.enrolment_id is null then ${value} else controllers.${sql.ref(column)} end`;
    const claimedAgain = {
      status_reason: unlessDetached('status_reason', 'link'),
      status_since: unlessDetached('status_since', now),
    };
    const row = await transaction
      .insertInto('controllers')
      .values({
        id: controller.id,
        serial_number: enrolment.serial_number,
        organization_id: controller.organizationId,
        group_id: controller.groupId,
        activated_at: now,
        ...device,
        ...seen,
      })
      .onConflict((conflict) =>
        conflict
          .column('serial_number')
          // Its status stands until the link of the new key says otherwise: presence is told of the claim.
          .doUpdateSet({
            ...device,
            ...claimedAgain,
            ...(isLinked ? seen : {}),
            ssh_host_key: null,
            old_ssh_algorithms: [],
          })
          .whereRef('controllers.organization_id', '=', 'excluded.organization_id')
          .where(sql<boolean>`not ${isAdded}::boolean`),
      )
      .returning('id')
      .executeTakeFirst();
    return row !== undefined;
  },
};
