import { type RawBuilder, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../../../../platform/db/schema.ts';

/** A port of this server and whose web interface is there. */
export interface PortHolder {
  port: number;
  serialNumber: string;
  /** Null for the controller's own web interface. */
  endpointPort: number | null;
  isReused: boolean;
}

export interface PortRequest {
  controllerId: string;
  endpointPort: number | null;
  organizationId: string;
  /** Of whoever opens it. */
  userId: string;
  range: { from: number; to: number };
  /** Not to be used: another program listens there. */
  excluded: readonly number[];
  now: Date;
  /** A port that was not used since may be taken over. */
  idleSince: Date;
  /** The same, where nobody has a tunnel there. */
  openingSince: Date;
}

/**
 * A port that somebody else has and that may be taken over: one that was idle for longest, or that nobody can be at. Where all are in use,
 * whoever holds most of them gives up the one used least lately to whoever would still hold less: one organization to another, and one
 * user to another, of the same organization or of one that holds more. A guest and a service account count as whoever made them.
 */
async function findTakeover(
  transaction: DatabaseTransaction,
  { organizationId, userId, now, idleSince, openingSince }: PortRequest,
  isUsable: RawBuilder<boolean>,
): Promise<number | undefined> {
  const { rows } = await sql<{ port: number }>`
    with held as (
      select port, used_at, controllers.organization_id, (
          select coalesce(users.created_by, users.id)
          from tunnels join users on users.id = tunnels.user_id
          where tunnels.controller_id = tunnel_ports.controller_id and tunnels.protocol = 'http'
            and coalesce(tunnels.endpoint_port, 0) = tunnel_ports.endpoint_port and tunnels.expires_at > ${now}
          order by tunnels.id desc limit 1
        ) as holder
      from tunnel_ports left join controllers on controllers.id = tunnel_ports.controller_id
      where ${isUsable}
    ),
    own as (
      select count(*) filter (where organization_id = ${organizationId}) as of_organization,
        count(*) filter (where holder = (
          select coalesce(created_by, id) from users where id = ${userId}
        )) as of_holder
      from held
    ),
    shares as (
      select port, used_at, organization_id, holder,
        count(*) over (partition by organization_id) as of_organization,
        case when holder is null then 0 else count(*) over (partition by holder) end as of_holder
      from held
    ),
    ranked as (
      select port, shares.used_at, shares.of_organization, shares.of_holder, case
          when used_at < ${idleSince} or (holder is null and used_at < ${openingSince}) then 1
          when shares.of_organization > own.of_organization + 1 then 2
          when shares.of_holder > own.of_holder + 1
            and (organization_id = ${organizationId} or shares.of_organization > own.of_organization) then 3
        end as rank
      from shares cross join own
    )
    select port from ranked where rank is not null
    order by rank, case rank when 2 then of_organization end desc, case rank when 1 then 0 else of_holder end desc, used_at
    limit 1`.execute(transaction);
  return rows[0]?.port;
}

/** SQL of the ports by which web interfaces are reached. */
export function createTunnelPortsRepository(db: Database) {
  return {
    /**
     * The port of a web interface: the one it had, else one that nobody has had, else one that may be taken over. Undefined
     * where there is none. One at a time, so that no two get the same.
     */
    assign: (request: PortRequest): Promise<{ port: number; isReused: boolean } | undefined> =>
      db.transaction().execute(async (transaction) => {
        const { controllerId, range, excluded, now } = request;
        const endpointPort = request.endpointPort ?? 0;
        await sql`lock table tunnel_ports in share row exclusive mode`.execute(transaction);
        const isUsable = sql<boolean>`port between ${range.from} and ${range.to} and port <> all(${[...excluded]}::int[])`;
        const holder = { controller_id: controllerId, endpoint_port: endpointPort, used_at: now };
        const known = await transaction
          .updateTable('tunnel_ports')
          .set({ used_at: now })
          .where('controller_id', '=', controllerId)
          .where('endpoint_port', '=', endpointPort)
          .where(isUsable)
          .returning(['port', 'is_reused as isReused'])
          .executeTakeFirst();
        if (known) return known;
        // The port that it had cannot be used any more. That it was used must not be forgotten: nobody has it now.
        await transaction
          .updateTable('tunnel_ports')
          .set({ controller_id: sql`gen_random_uuid()` })
          .where('controller_id', '=', controllerId)
          .where('endpoint_port', '=', endpointPort)
          .execute();
        const { rows } = await sql<{ port: number }>`
          select port from generate_series(${range.from}::int, ${range.to}::int) as free (port)
          where ${isUsable} and not exists (select from tunnel_ports where tunnel_ports.port = free.port)
          order by port limit 1`.execute(transaction);
        const [free] = rows;
        if (free) {
          await transaction
            .insertInto('tunnel_ports')
            .values({ port: free.port, ...holder })
            .execute();
          return { port: free.port, isReused: false };
        }
        const takeover = await findTakeover(transaction, request, isUsable);
        if (takeover === undefined) return undefined;
        return transaction
          .updateTable('tunnel_ports')
          .set({ ...holder, is_reused: true })
          .where('port', '=', takeover)
          .returning(['port', 'is_reused as isReused'])
          .executeTakeFirst();
      }),

    async touch(ports: readonly number[], now: Date): Promise<void> {
      await db
        .updateTable('tunnel_ports')
        .set({ used_at: now })
        .where('port', '=', sql<number>`any(${[...ports]}::int[])`)
        .execute();
    },

    /** Those used since. */
    async list(since: Date): Promise<PortHolder[]> {
      const rows = await db
        .selectFrom('tunnel_ports')
        .innerJoin('controllers', 'controllers.id', 'tunnel_ports.controller_id')
        .select([
          'tunnel_ports.port',
          'tunnel_ports.endpoint_port',
          'tunnel_ports.is_reused as isReused',
          'controllers.serial_number as serialNumber',
        ])
        .where('used_at', '>', since)
        .execute();
      return rows.map(({ endpoint_port, ...row }) => ({ ...row, endpointPort: endpoint_port || null }));
    },
  };
}
export type TunnelPortsRepository = ReturnType<typeof createTunnelPortsRepository>;
