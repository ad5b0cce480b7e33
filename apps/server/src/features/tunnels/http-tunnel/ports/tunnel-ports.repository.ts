import { sql } from 'kysely';
import type { Database } from '../../../../platform/db/schema.ts';

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
  range: { from: number; to: number };
  /** Not to be used: another program listens there. */
  excluded: readonly number[];
  now: Date;
  /** A port that was not used since may be taken over. */
  idleSince: Date;
}

/** SQL of the ports by which web interfaces are reached. */
export function createTunnelPortsRepository(db: Database) {
  return {
    /**
     * The port of a web interface: the one it had, else one that nobody has had, else the one that was idle for
     * longest. Undefined when all are in use. One at a time, so that no two get the same.
     */
    assign: (request: PortRequest): Promise<{ port: number; isReused: boolean } | undefined> =>
      db.transaction().execute(async (transaction) => {
        const { controllerId, range, excluded, now, idleSince } = request;
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
        const oldest = transaction
          .selectFrom('tunnel_ports')
          .select('port')
          .where(isUsable)
          .where('used_at', '<', idleSince)
          .orderBy('used_at')
          .limit(1);
        return transaction
          .updateTable('tunnel_ports')
          .set({ ...holder, is_reused: true })
          .where('port', '=', oldest)
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
