import { type GuestLink, limits, type OrganizationGuestLink, type PageProtocol } from '@pult/contract';
import { type Selectable, sql } from 'kysely';
import { type Scope, strongestRole, visibleControllers } from '../../../platform/access/index.ts';
import type { Database, DatabaseTransaction, GuestLinkTable } from '../../../platform/db/schema.ts';
import { enrolmentOfController } from '../../devices/index.ts';
import { isReservedPort } from '../port-rights.repository.ts';
import type { ReservedPorts } from '../port-rights.ts';
import type { TunnelTarget } from '../tunnels.repository.ts';
import { rightHolder, rolesNeeded, shutsGuestOut } from './guest-rights.repository.ts';

export interface NewGuestLink {
  id: string;
  name: string;
  madeBy: string;
  protocol: PageProtocol;
  endpointPort: number | null;
  isReadOnly: boolean;
  tokenHash: Buffer;
  pinHash: Buffer;
  uses: number;
  createdAt: Date;
  expiresAt: Date;
}

/** A link that opens something, but for the PIN. */
export interface OpenGuestLink extends TunnelTarget {
  id: string;
  name: string;
  protocol: PageProtocol;
  endpointPort: number | null;
  isReadOnly: boolean;
  pinHash: Buffer;
  description: string;
  organizationName: string;
  wrongPins: number;
  expiresAt: Date;
}

/** Who has come in by a link: a login that is good for its one terminal. */
export interface GuestLogin extends TunnelTarget {
  guestId: string;
  sessionId: string;
  name: string;
  isReadOnly: boolean;
  expiresAt: Date;
}

/** SQL of the links by which guests come. `isTotpEnabled` is TOTP_AUTH_ENABLED. */
export function createGuestLinksRepository(
  db: Database,
  { isTotpEnabled, reservedPorts }: { isTotpEnabled: boolean; reservedPorts: ReservedPorts },
) {
  const isReserved = isReservedPort(
    reservedPorts,
    sql.ref('controllers.connection_kind'),
    sql.ref('link.endpoint_port'),
  );
  const live = (executor: Database, now: Date) =>
    executor
      .selectFrom('guest_links as link')
      .innerJoin('users', 'users.id', 'link.id')
      .innerJoin('controllers', 'controllers.id', 'link.controller_id')
      .where('link.expires_at', '>', now);

  const listed = (scope: Scope, now: Date) =>
    live(db, now)
      .leftJoin('users as makers', 'makers.id', 'users.created_by')
      .where(visibleControllers(scope))
      .selectAll('link')
      .select(['users.email as name', 'makers.email as maker'])
      .orderBy('link.id', 'desc');

  return {
    /** Of one controller. */
    async list(scope: Scope, serialNumber: string, now: Date): Promise<GuestLink[]> {
      const rows = await listed(scope, now).where('controllers.serial_number', '=', serialNumber).execute();
      return rows.map(toGuestLink);
    },

    /** Of all controllers of an organization that are in scope; at most as many as a list has on a page. */
    async listOfOrganization(
      scope: Scope,
      organizationId: string,
      now: Date,
    ): Promise<OrganizationGuestLink[]> {
      const rows = await listed(scope, now)
        .where('controllers.organization_id', '=', organizationId)
        .select(['controllers.serial_number as serialNumber', 'controllers.description'])
        .limit(limits.pageSizeMax)
        .execute();
      return rows.map(({ serialNumber, description, ...row }) => ({
        ...toGuestLink(row),
        controller: { serialNumber, description },
      }));
    },

    /** Whether the organization lets guests in; holds the controller, so that its links are counted exactly. */
    async holdController(
      transaction: DatabaseTransaction,
      { controllerId }: TunnelTarget,
      now: Date,
    ): Promise<{ isOpen: boolean; count: number } | undefined> {
      const controller = await transaction
        .selectFrom('controllers')
        .select('id')
        .where('id', '=', controllerId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!controller) return undefined;
      return transaction
        .selectFrom('controllers')
        .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
        .select([
          sql<boolean>`organizations.guests_allowed
            and not (${isTotpEnabled}::boolean and organizations.totp_required)`.as('isOpen'),
          sql<number>`(select count(*)::int from guest_links
            where guest_links.controller_id = controllers.id and expires_at > ${now})`.as('count'),
        ])
        .where('controllers.id', '=', controllerId)
        .executeTakeFirst();
    },

    async create(
      transaction: DatabaseTransaction,
      { controllerId, organizationId }: TunnelTarget,
      link: NewGuestLink,
    ): Promise<void> {
      await transaction
        .insertInto('users')
        .values({
          ...{ id: link.id, kind: 'guest', email: link.name, belongs_to: organizationId },
          ...{ created_by: link.madeBy, created_at: link.createdAt, password_hash: '', locale: 'en' },
        })
        .execute();
      await transaction
        .insertInto('guest_links')
        .values({
          ...{ id: link.id, controller_id: controllerId, protocol: link.protocol },
          ...{ endpoint_port: link.endpointPort, is_read_only: link.isReadOnly },
          ...{ token_hash: link.tokenHash, pin_hash: link.pinHash, max_uses: link.uses },
          ...{ created_at: link.createdAt, expires_at: link.expiresAt },
        })
        .execute();
    },

    /** Its guest's name and organization; undefined where the controller in scope has no such link. */
    async find(
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
      id: string,
    ): Promise<{ name: string; organizationId: string } | undefined> {
      return transaction
        .selectFrom('guest_links as link')
        .innerJoin('users', 'users.id', 'link.id')
        .innerJoin('controllers', 'controllers.id', 'link.controller_id')
        .select(['users.email as name', 'controllers.organization_id as organizationId'])
        .where('link.id', '=', id)
        .where('controllers.serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .executeTakeFirst();
    },

    /** With what was opened by it; the guest's name stays. */
    async end(transaction: DatabaseTransaction, id: string, now: Date): Promise<void> {
      await transaction.deleteFrom('guest_links').where('id', '=', id).execute();
      await transaction.deleteFrom('sessions').where('user_id', '=', id).execute();
      await transaction.updateTable('users').set({ ended_at: now }).where('id', '=', id).execute();
    },

    /**
     * The link of a token where it opens something now: it is not over or used up, its maker may still share, guests are
     * allowed, and a named service is the one that was shared, on a port that is not reserved. Held: whoever tries PINs at once waits, and is counted.
     */
    async hold(
      transaction: DatabaseTransaction,
      tokenHash: Buffer,
      now: Date,
    ): Promise<OpenGuestLink | undefined> {
      const held = await transaction
        .selectFrom('guest_links')
        .select('id')
        .where('token_hash', '=', tokenHash)
        .forUpdate()
        .executeTakeFirst();
      if (!held) return undefined;
      const role = strongestRole(rightHolder, sql.ref('controllers.organization_id'), 'controller');
      return live(transaction, now)
        .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
        .where('link.id', '=', held.id)
        .whereRef('link.uses', '<', 'link.max_uses')
        .where(sql<boolean>`${role} = any(${rolesNeeded})`)
        .where(({ not }) => not(shutsGuestOut(isTotpEnabled)))
        .where(
          sql<boolean>`(link.endpoint_port is null or exists (select from controller_endpoints as endpoint
            where endpoint.controller_id = controllers.id and endpoint.port = link.endpoint_port
              and endpoint.created_at <= link.created_at))`,
        )
        .where(({ not }) => not(isReserved))
        .select([
          'link.id',
          'users.email as name',
          'link.protocol',
          'link.endpoint_port as endpointPort',
          'link.is_read_only as isReadOnly',
          'link.pin_hash as pinHash',
          'link.wrong_pins as wrongPins',
          'link.expires_at as expiresAt',
          'controllers.id as controllerId',
          'controllers.organization_id as organizationId',
          enrolmentOfController.as('enrolmentId'),
          'controllers.serial_number as serialNumber',
          'controllers.description',
          'organizations.name as organizationName',
        ])
        .executeTakeFirst();
    },

    async countWrongPin(transaction: DatabaseTransaction, id: string): Promise<void> {
      await transaction
        .updateTable('guest_links')
        .set((eb) => ({ wrong_pins: eb('wrong_pins', '+', 1) }))
        .where('id', '=', id)
        .execute();
    },

    /** Counts one use, and makes the login that it gives. */
    async use(
      transaction: DatabaseTransaction,
      login: { guestId: string; sessionId: string; hash: Buffer; address: string; at: Date; expiresAt: Date },
    ): Promise<void> {
      const { guestId, sessionId, hash, address, at, expiresAt } = login;
      await transaction
        .updateTable('guest_links')
        .set((eb) => ({ uses: eb('uses', '+', 1), last_used_at: at }))
        .where('id', '=', guestId)
        .execute();
      await transaction
        .insertInto('sessions')
        .values({
          ...{ id: sessionId, user_id: guestId, token_hash: hash, address, user_agent: '' },
          ...{ created_at: at, last_used_at: at, expires_at: expiresAt },
          // No browser's: it opens no call, and no list of sessions has it.
          is_token: true,
        })
        .execute();
    },

    /** A use by which nothing was opened. */
    async takeBack(guestId: string, sessionId: string): Promise<void> {
      await db
        .with('gone', (cte) => cte.deleteFrom('sessions').where('id', '=', sessionId).returning('id'))
        .updateTable('guest_links')
        .set((eb) => ({ uses: eb('uses', '-', 1) }))
        .where('id', '=', guestId)
        .where((eb) => eb.exists(eb.selectFrom('gone').select('id')))
        .execute();
    },

    /** The login of a guest to a terminal. */
    async findLogin(guestId: string, hash: Buffer, now: Date): Promise<GuestLogin | undefined> {
      return db
        .selectFrom('sessions')
        .innerJoin('guest_links as link', 'link.id', 'sessions.user_id')
        .innerJoin('users', 'users.id', 'link.id')
        .innerJoin('controllers', 'controllers.id', 'link.controller_id')
        .select(['link.id as guestId', 'sessions.id as sessionId', 'users.email as name'])
        .select(['controllers.id as controllerId', 'controllers.organization_id as organizationId'])
        .select([enrolmentOfController.as('enrolmentId'), 'controllers.serial_number as serialNumber'])
        .select(['link.is_read_only as isReadOnly', 'sessions.expires_at as expiresAt'])
        .where('sessions.token_hash', '=', hash)
        .where('sessions.expires_at', '>', now)
        .where('link.id', '=', guestId)
        .where('link.protocol', '=', 'ssh')
        .executeTakeFirst();
    },

    /** Links that are over, and guests whom no log names any more. */
    async deleteEnded(now: Date, forgottenBefore: Date): Promise<void> {
      await db.deleteFrom('guest_links').where('expires_at', '<=', now).execute();
      // Of a controller that is gone, too.
      await db
        .updateTable('users')
        .set({ ended_at: now })
        .where('kind', '=', 'guest')
        .where('ended_at', 'is', null)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('guest_links').select('id').whereRef('guest_links.id', '=', 'users.id'))),
        )
        .execute();
      await db
        .deleteFrom('users')
        .where('kind', '=', 'guest')
        .where('ended_at', '<', forgottenBefore)
        .execute();
    },
  };
}

interface ListedLink extends Selectable<GuestLinkTable> {
  name: string;
  maker: string | null;
}

function toGuestLink(row: ListedLink): GuestLink {
  return {
    id: row.id,
    service: row.endpoint_port === null ? row.protocol : String(row.endpoint_port),
    name: row.name,
    isReadOnly: row.is_read_only,
    uses: row.max_uses,
    used: row.uses,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
    createdBy: row.maker,
  };
}
export type GuestLinksRepository = ReturnType<typeof createGuestLinksRepository>;
