import type {
  ConnectionKind,
  EndpointScheme,
  ForwardingProtocol,
  PageProtocol,
  TunnelProtocol,
} from '@pult/contract';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Scope, strongestRole, visibleControllers } from '../../platform/access/index.ts';
import type { Database, DatabaseTransaction } from '../../platform/db/schema.ts';
import { lacksRequiredSignIn } from '../accounts/index.ts';
import { enrolmentOfController } from '../devices/index.ts';
import { lacksSecondFactor } from '../organizations/index.ts';
import { credentialVersion } from './credential-version.repository.ts';
import { rightHolder, rolesNeededFor, shutsGuestOut } from './guests/guest-rights.repository.ts';
import { isReservedPort, lacksForward } from './port-rights.repository.ts';
import type { ReservedPorts } from './port-rights.ts';

/** What a tunnel's ticket or cookie gives access to, as true as the last look at the database. */
export interface TunnelAccess {
  tunnelId: string;
  userId: string;
  sessionId: string;
  organizationId: string;
  controllerId: string;
  enrolmentId: string;
  serialNumber: string;
  /** Of its user at the time it was opened; see there. */
  credentialVersion: string;
  expiresAt: Date;
  /** Of a tunnel to a named endpoint; null for the controller's own web interface, and for SSH. */
  port: number | null;
  /** Of a forwarding tunnel, whether or not the port has a name. */
  forwardedPort: number | null;
  /** How that endpoint is spoken to. */
  scheme: EndpointScheme | null;
  /** What its web server is told as `Host`, where that is not the host by which browsers reach it. */
  hostHeader: string | null;
  /** On which the controller has named endpoints. */
  endpointPorts: number[];
  /** Whether answers of its web interfaces are kept for others. */
  isWebCacheEnabled: boolean;
}

export interface TunnelTarget {
  controllerId: string;
  organizationId: string;
  enrolmentId: string;
  serialNumber: string;
}

/** Where somebody asks for a tunnel. */
export interface AskedTarget extends TunnelTarget {
  connectionKind: ConnectionKind;
}

export interface NewTunnel {
  id: string;
  userId: string;
  sessionId: string;
  controllerId: string;
  protocol: TunnelProtocol;
  endpointPort: number | null;
  forwardedPort: number | null;
  /** Of a ticket, or of a key that is good as often as one likes. */
  hash: { ticket: Buffer } | { key: Buffer };
  ticketExpiresAt: Date;
  createdAt: Date;
  expiresAt: Date;
}

/** Tunnels a user may have at once; opening one more forgets the oldest. */
const tunnelsPerUser = 100;

/** What is said of the endpoint that a tunnel leads to, if it is still the one that was there. */
const ofEndpoint = <Value extends string>(column: 'scheme' | 'host_header') => sql<Value | null>`(
  select ${sql.ref(`endpoint.${column}`)} from controller_endpoints as endpoint where endpoint.controller_id = opened.controller_id
    and endpoint.port = opened.endpoint_port and endpoint.created_at <= opened.created_at)`;
const scheme = ofEndpoint<EndpointScheme>('scheme');

/**
 * SQL of tunnels. Whatever reads one asks in the same statement whether it still holds: the session lives, its
 * user may open tunnels in the controller's organization and has the second factor it wants, the time is not over, and
 * the endpoint it leads to is still the one that was there, on a port that they may reach.
 * `isTotpEnabled` is TOTP_AUTH_ENABLED: without it no organization's wish for one counts.
 */
export function createTunnelsRepository(
  db: Database,
  { isTotpEnabled, reservedPorts }: { isTotpEnabled: boolean; reservedPorts: ReservedPorts },
) {
  const isReserved = isReservedPort(
    reservedPorts,
    sql.ref('controllers.connection_kind'),
    sql.ref('opened.endpoint_port'),
  );
  const takesForward = sql<SqlBool>`(opened.forwarded_port is not null or ${isReserved})`;

  /** `which` chooses among the columns of `tunnels`. */
  const holding = (which: RawBuilder<SqlBool>, now: Date) =>
    db
      // By itself, and the endpoints by themselves: of one join of all, planning would take five times as long as
      // everything else, and each click on a controller waits for it.
      .with(
        (cte) => cte('opened').materialized(),
        (query) =>
          query
            .selectFrom('tunnels')
            .innerJoin('sessions', 'sessions.id', 'tunnels.session_id')
            .where(which)
            .where('sessions.expires_at', '>', now)
            .where('tunnels.expires_at', '>', now)
            .selectAll('tunnels'),
      )
      .selectFrom('opened')
      .innerJoin('controllers', 'controllers.id', 'opened.controller_id')
      .innerJoin('organizations', 'organizations.id', 'controllers.organization_id')
      .innerJoin('users', 'users.id', 'opened.user_id')
      .where((eb) => eb.or([eb('opened.endpoint_port', 'is', null), eb(scheme, 'is not', null)]))
      .where(
        sql<SqlBool>`${strongestRole(rightHolder, sql.ref('controllers.organization_id'), 'controller')}
          = any(${rolesNeededFor(takesForward)})`,
      )
      .where(({ not }) => not(lacksForward(takesForward, sql.ref('opened.session_id'))))
      .where(({ not }) => not(shutsGuestOut(isTotpEnabled)))
      .where(({ not }) => not(lacksSecondFactor(isTotpEnabled, sql.ref('opened.session_id'))))
      .where(({ not }) => not(lacksRequiredSignIn(sql.ref('opened.session_id'))))
      .where('opened.credential_version', '=', credentialVersion)
      .select([
        'opened.id as tunnelId',
        'opened.user_id as userId',
        'opened.session_id as sessionId',
        'controllers.organization_id as organizationId',
        'controllers.id as controllerId',
        enrolmentOfController.as('enrolmentId'),
        'controllers.serial_number as serialNumber',
        'opened.credential_version as credentialVersion',
        'opened.expires_at as expiresAt',
        'opened.endpoint_port as port',
        'opened.forwarded_port as forwardedPort',
        scheme.as('scheme'),
        ofEndpoint('host_header').as('hostHeader'),
        sql<number[]>`array(select port from controller_endpoints as every
          where every.controller_id = controllers.id)`.as('endpointPorts'),
        sql<boolean>`coalesce((select enabled from web_caches where controller_id = controllers.id), true)`.as(
          'isWebCacheEnabled',
        ),
      ]);

  return {
    getTarget: (scope: Scope, serialNumber: string): Promise<AskedTarget | undefined> =>
      db
        .selectFrom('controllers')
        .select([
          'id as controllerId',
          'organization_id as organizationId',
          enrolmentOfController.as('enrolmentId'),
          'serial_number as serialNumber',
          'connection_kind as connectionKind',
        ])
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .executeTakeFirst(),

    /** Whether the controller has an endpoint named on that port. */
    async findEndpoint(
      { controllerId }: TunnelTarget,
      port: number,
    ): Promise<{ port: number; name: string } | undefined> {
      return db
        .selectFrom('controller_endpoints')
        .select(['port', 'name'])
        .where('controller_id', '=', controllerId)
        .where('port', '=', port)
        .executeTakeFirst();
    },

    async createTunnel(tunnel: NewTunnel): Promise<void> {
      const kept = db
        .selectFrom('tunnels')
        .select('id')
        .where('user_id', '=', tunnel.userId)
        .orderBy('id', 'desc')
        .limit(tunnelsPerUser - 1);
      await db
        .with('forgotten', (cte) =>
          cte.deleteFrom('tunnels').where('user_id', '=', tunnel.userId).where('id', 'not in', kept),
        )
        .insertInto('tunnels')
        .values({
          id: tunnel.id,
          user_id: tunnel.userId,
          session_id: tunnel.sessionId,
          controller_id: tunnel.controllerId,
          protocol: tunnel.protocol,
          endpoint_port: tunnel.endpointPort,
          forwarded_port: tunnel.forwardedPort,
          ticket_hash: 'ticket' in tunnel.hash ? tunnel.hash.ticket : null,
          cookie_hash: 'key' in tunnel.hash ? tunnel.hash.key : null,
          ticket_expires_at: tunnel.ticketExpiresAt,
          created_at: tunnel.createdAt,
          expires_at: tunnel.expiresAt,
          credential_version: db
            .selectFrom('users')
            .select(credentialVersion.as('version'))
            .where('id', '=', tunnel.userId),
        })
        .execute();
    },

    /**
     * Uses a ticket up, in one statement: of two at once one succeeds. The cookie's hash takes its place where
     * there will be a cookie.
     */
    async redeemTicket(
      ticket: { hash: Buffer; protocol: PageProtocol; cookieHash: Buffer | null },
      now: Date,
    ): Promise<TunnelAccess | undefined> {
      const row = await db
        .updateTable('tunnels')
        .set({ ticket_hash: null, cookie_hash: ticket.cookieHash })
        .where('ticket_hash', '=', ticket.hash)
        .where('protocol', '=', ticket.protocol)
        .where('ticket_expires_at', '>', now)
        .returning('id')
        .executeTakeFirst();
      return row && holding(sql`tunnels.id = ${row.id}`, now).executeTakeFirst();
    },

    /** By the cookie of an http tunnel, or the key of a forwarding one: neither opens the other. */
    getByCookie: (
      protocol: 'http' | ForwardingProtocol,
      cookieHash: Buffer,
      now: Date,
    ): Promise<TunnelAccess | undefined> =>
      holding(
        sql`tunnels.cookie_hash = ${cookieHash} and tunnels.protocol = ${protocol}`,
        now,
      ).executeTakeFirst(),

    /** Which of these tunnels still hold. */
    async listHolding(ids: readonly string[], now: Date): Promise<string[]> {
      const rows = await holding(sql`tunnels.id = any(${[...ids]}::uuid[])`, now).execute();
      return rows.map((row) => row.tunnelId);
    },

    async deleteExpired(now: Date): Promise<void> {
      await db.deleteFrom('tunnels').where('expires_at', '<=', now).execute();
    },

    /** The pinned SSH host key of a controller. */
    async getHostKey({ controllerId }: TunnelAccess): Promise<Buffer | undefined> {
      const row = await db
        .selectFrom('controllers')
        .select('ssh_host_key')
        .where('id', '=', controllerId)
        .executeTakeFirst();
      return row?.ssh_host_key ?? undefined;
    },

    /** The pinned SSH host key of a controller; the first one becomes it, unless its device was replaced during the login. */
    async pinHostKey(
      { controllerId, enrolmentId }: Pick<TunnelAccess, 'controllerId' | 'enrolmentId'>,
      key: Buffer,
    ): Promise<{ pinned: Buffer; isNew: boolean }> {
      const pinned = await db
        .updateTable('controllers')
        .set({ ssh_host_key: key })
        .where('id', '=', controllerId)
        .where('enrolment_id', '=', enrolmentId)
        .where('ssh_host_key', 'is', null)
        .returning('id')
        .executeTakeFirst();
      if (pinned) return { pinned: key, isNew: true };
      const row = await db
        .selectFrom('controllers')
        .select('ssh_host_key')
        .where('id', '=', controllerId)
        .executeTakeFirst();
      return { pinned: row?.ssh_host_key ?? Buffer.alloc(0), isNew: false };
    },

    /** Forgets the pinned key and the old algorithms of that device; answers what it was and whose, undefined where there was none. */
    async forgetHostKey(
      transaction: DatabaseTransaction,
      scope: Scope,
      serialNumber: string,
    ): Promise<{ organizationId: string; key: Buffer } | undefined> {
      const row = await transaction
        .selectFrom('controllers')
        .select(['id', 'organization_id as organizationId', 'ssh_host_key as key'])
        .where('serial_number', '=', serialNumber)
        .where(visibleControllers(scope))
        .forUpdate()
        .executeTakeFirst();
      if (!row?.key) return undefined;
      await transaction
        .updateTable('controllers')
        .set({ ssh_host_key: null, old_ssh_algorithms: [] })
        .where('id', '=', row.id)
        .execute();
      return { organizationId: row.organizationId, key: row.key };
    },
  };
}
export type TunnelsRepository = ReturnType<typeof createTunnelsRepository>;
