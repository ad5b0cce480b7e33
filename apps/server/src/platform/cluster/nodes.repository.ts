import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Database, DatabaseTransaction } from '../db/schema.ts';

export interface NodeRow {
  id: string;
  /** Where the others reach it; null of a server that is the only one. */
  address: string | null;
  version: string;
}

/** A node as it is seen by others. */
export interface ListedNode extends NodeRow {
  state: 'active' | 'leaving' | 'left' | 'lost';
  links: number;
  startedAt: Date;
  leftAt: Date | null;
}

/** What a node says of itself with each renewal of its lease. */
export interface NodeReport {
  state: 'active' | 'leaving';
  links: number;
}

/** Seconds for which the others believe that a node is there. It gives itself up sooner: see `fenceMs`. */
const leaseSeconds = 40;
/** Days for which those that have left are listed. */
const keptDays = 1;

/** SQL of the nodes. All times are the database's own: clocks of nodes may differ. */
export function createNodesRepository(db: Database) {
  return {
    /**
     * A server that is alone has no lease: whoever comes after it knows that it is gone. A try of which no answer came may have added it:
     * false where the lease of that is over.
     */
    async add({ id, address, version }: NodeRow): Promise<boolean> {
      const lease = address === null ? 0 : leaseSeconds;
      const { rows } = await sql`
        insert into nodes (id, address, version, state, started_at, lease_until)
        values (${id}, ${address}, ${version}, 'active', now(), now() + make_interval(secs => ${lease}))
        on conflict (id) do update set lease_until = excluded.lease_until where nodes.lease_until > now()
        returning 1`.execute(db);
      return rows.length > 0;
    },

    /** False where the lease is over already: others may have taken what this node had. */
    async renew(id: string, { state, links }: NodeReport): Promise<boolean> {
      const { rows } = await sql`
        update nodes set lease_until = now() + make_interval(secs => ${leaseSeconds}), state = ${state}, links = ${links}
        where id = ${id} and lease_until > now() returning 1`.execute(db);
      return rows.length > 0;
    },

    /** Of all others, where this server says that it is alone. */
    async endOthers(id: string): Promise<void> {
      await sql`
        update nodes set state = 'lost', left_at = now(), lease_until = least(lease_until, now())
        where id <> ${id} and left_at is null`.execute(db);
      await sql`delete from nodes where left_at < now() - make_interval(days => ${keptDays})`.execute(db);
    },

    async leave(id: string): Promise<void> {
      await sql`update nodes set state = 'left', left_at = now(), lease_until = now(), links = 0
        where id = ${id} and left_at is null`.execute(db);
    },

    /** Takes note of those whose lease is over. */
    async markLost(ownId: string): Promise<void> {
      await sql`update nodes set state = 'lost', left_at = lease_until
        where id <> ${ownId} and left_at is null and lease_until <= now()`.execute(db);
    },

    /** Those that are there first, each since its start. One whose lease is over is lost, though nobody has noted it yet. */
    async list(ownId: string): Promise<ListedNode[]> {
      const { rows } = await sql<ListedNode>`
        select id, address, version, links, started_at as "startedAt", left_at as "leftAt",
          case when state in ('active', 'leaving') and id <> ${ownId} and lease_until <= now() then 'lost' else state end
            as state
        from nodes order by left_at desc nulls first, started_at, id`.execute(db);
      return rows;
    },

    /** Undefined for one whose lease is over. */
    async findAddress(id: string): Promise<string | undefined> {
      const { rows } = await sql<{ address: string | null }>`
        select address from nodes where id = ${id} and lease_until > now()`.execute(db);
      return rows[0]?.address ?? undefined;
    },

    /** Those whose traces nobody has cleaned yet, nor cleans now. */
    async lockUncleaned(transaction: DatabaseTransaction, ownId: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        select id from nodes where id <> ${ownId} and left_at is not null and cleaned_at is null
        order by id for update skip locked`.execute(transaction);
      return rows.map(({ id }) => id);
    },

    async markCleaned(transaction: DatabaseTransaction, ids: readonly string[]): Promise<void> {
      await sql`update nodes set cleaned_at = now() where id = any(${[...ids]})`.execute(transaction);
      await sql`delete from nodes
        where cleaned_at is not null and left_at < now() - make_interval(days => ${keptDays})`.execute(
        transaction,
      );
    },
  };
}

/**
 * Whether what a column names as its node has been left by it: it is neither this one nor one that has its lease. What names none is of
 * an earlier version, which is gone.
 */
export function isOfDeadNode(column: string, ownId: string): RawBuilder<SqlBool> {
  const node = sql.ref(column);
  return sql<SqlBool>`(${node} is distinct from ${ownId}
    and not exists (select from nodes where nodes.id = ${node} and nodes.lease_until > now()))`;
}
