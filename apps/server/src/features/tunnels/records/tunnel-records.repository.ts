import type { TunnelState, TunnelView } from '@pult/contract';
import { sql } from 'kysely';
import { type Scope, visibleControllers, wholeOrganizations } from '../../../platform/access/index.ts';
import type { Node } from '../../../platform/cluster/index.ts';
import type { Database } from '../../../platform/db/schema.ts';
import type { TunnelRecord } from './tunnel-record.ts';

/** SQL of the records of tunnels: what is open and what was. */
export function createTunnelRecordsRepository(db: Database, node: Pick<Node, 'isDeadNode'>) {
  const isAt = (scope: Scope, organizationId: string) => sql<boolean>`(
    exists ${wholeOrganizations(scope, organizationId)} or exists (
      select from controllers
      where controllers.id = tunnel_records.controller_id and ${visibleControllers(scope, { organizationId })}))`;
  const matching = (scope: Scope, organizationId: string, state: TunnelState) =>
    db
      .selectFrom('tunnel_records')
      .where(
        'tunnel_records.organization_id',
        '=',
        // One value, so that an index gives the order of a page.
        scope.hasGrants ? organizationId : wholeOrganizations(scope, organizationId),
      )
      .$if(scope.hasGrants, (query) => query.where(isAt(scope, organizationId)))
      .where('tunnel_records.ended_at', state === 'live' ? 'is' : 'is not', null);

  return {
    /** Writes records anew or as they are now, in one statement; those of an organization that is gone are left out. */
    async save(records: readonly TunnelRecord[], now: Date): Promise<void> {
      const column = <Value>(read: (record: TunnelRecord) => Value) => records.map(read);
      await sql`
        insert into tunnel_records (id, organization_id, user_id, controller_id, serial_number, kind, port, address,
          started_at, noted_at, ended_at, end_reason, ended_by, bytes_in, bytes_out, node_id)
        select written.id, organizations.id, users.id, controllers.id, written.serial_number, written.kind, written.port,
          written.address, written.started_at, ${now}::timestamptz, written.ended_at, written.end_reason, enders.id,
          written.bytes_in, written.bytes_out, written.node_id
        from unnest(
          ${column(({ id }) => id)}::uuid[],
          ${column(({ target }) => target.organizationId)}::uuid[],
          ${column(({ userId }) => userId)}::uuid[],
          ${column(({ target }) => target.controllerId)}::uuid[],
          ${column(({ target }) => target.serialNumber)}::text[],
          ${column(({ kind }) => kind)}::text[],
          ${column(({ port }) => port)}::integer[],
          ${column(({ address }) => address)}::text[],
          ${column(({ startedAt }) => startedAt)}::timestamptz[],
          ${column(({ end }) => end?.at ?? null)}::timestamptz[],
          ${column(({ end }) => end?.reason ?? null)}::text[],
          ${column(({ end }) => end?.by ?? null)}::uuid[],
          ${column(({ bytesIn }) => bytesIn)}::bigint[],
          ${column(({ bytesOut }) => bytesOut)}::bigint[],
          ${column(({ nodeId }) => nodeId)}::text[]
        ) as written (id, organization_id, user_id, controller_id, serial_number, kind, port, address, started_at,
          ended_at, end_reason, ended_by, bytes_in, bytes_out, node_id)
        join organizations on organizations.id = written.organization_id
        left join users on users.id = written.user_id
        left join controllers on controllers.id = written.controller_id
        left join users enders on enders.id = written.ended_by
        on conflict (id) do update set noted_at = excluded.noted_at, ended_at = excluded.ended_at,
          end_reason = excluded.end_reason, ended_by = excluded.ended_by, bytes_in = excluded.bytes_in,
          bytes_out = excluded.bytes_out`.execute(db);
    },

    /** With whether it is at what the second scope has. Newest first: the live ones by their begin, the others by their end. */
    async list(
      { scope, managed }: { scope: Scope; managed: Scope },
      organizationId: string,
      state: TunnelState,
      page: { limit: number; offset: number },
    ): Promise<(TunnelView & { isManaged: boolean })[]> {
      const rows = await matching(scope, organizationId, state)
        .leftJoin('users', 'users.id', 'tunnel_records.user_id')
        .leftJoin('users as enders', 'enders.id', 'tunnel_records.ended_by')
        .selectAll('tunnel_records')
        .select(['users.email', 'enders.email as enderEmail'])
        .select(isAt(managed, organizationId).as('isManaged'))
        .orderBy(state === 'live' ? 'tunnel_records.started_at' : 'tunnel_records.ended_at', 'desc')
        .orderBy('tunnel_records.id', 'desc')
        .limit(page.limit)
        .offset(page.offset)
        .execute();
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind,
        port: row.port,
        serialNumber: row.serial_number,
        user: toPerson(row.user_id, row.email),
        address: row.address,
        startedAt: row.started_at.toISOString(),
        endedAt: row.ended_at?.toISOString() ?? null,
        endReason: row.end_reason,
        endedBy: toPerson(row.ended_by, row.enderEmail),
        bytesIn: Number(row.bytes_in),
        bytesOut: Number(row.bytes_out),
        isManaged: row.isManaged,
      }));
    },

    async count(scope: Scope, organizationId: string, state: TunnelState): Promise<number> {
      const { count } = await matching(scope, organizationId, state)
        .select(sql<number>`count(*)::int`.as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    /** The node that has one open; undefined for one that has ended. */
    async findNode(organizationId: string, id: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('tunnel_records')
        .select('node_id')
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('ended_at', 'is', null)
        .executeTakeFirst();
      return row?.node_id ?? undefined;
    },

    /** Of whoever opened something; empty when the account is gone. */
    async getEmail(userId: string): Promise<string> {
      const row = await db.selectFrom('users').select('email').where('id', '=', userId).executeTakeFirst();
      return row?.email ?? '';
    },

    /** What a node has left open that is gone: it ended when it was last written. */
    async endLeft(): Promise<void> {
      await sql`update tunnel_records set ended_at = noted_at, end_reason = 'server_failed'
        where ended_at is null and ${node.isDeadNode('node_id')}`.execute(db);
    },

    /** Of all organizations. */
    async deleteEndedBefore(time: Date): Promise<void> {
      await db.deleteFrom('tunnel_records').where('ended_at', '<', time).execute();
    },
  };
}
export type TunnelRecordsRepository = ReturnType<typeof createTunnelRecordsRepository>;

function toPerson(id: string | null, email: string | null): { id: string; email: string } | null {
  return id !== null && email !== null ? { id, email } : null;
}
