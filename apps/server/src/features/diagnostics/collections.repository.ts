import { type DiagnosticStatus, limits } from '@pult/contract';
import { sql } from 'kysely';
import type { Node } from '../../platform/cluster/index.ts';
import type { Database } from '../../platform/db/schema.ts';
import { enrolmentOfController } from '../devices/index.ts';
import type { CollectionFailure } from './failure.ts';
import type { ReceivedArchive } from './receive-archive.ts';

/** Diagnostics under way, with whose they are. */
export interface Collection {
  id: string;
  controllerId: string;
  organizationId: string;
  enrolmentId: string;
  serialNumber: string;
}

/** What has changed by itself, for those who look at it. */
export interface Ended {
  id: string;
  organizationId: string | null;
  serialNumber: string | null;
}

const active: readonly DiagnosticStatus[] = ['requested', 'collecting'];

/** SQL of the server's own work on diagnostics, for whichever organization: no one's word is taken here. */
export function createCollectionsRepository(db: Database, node: Pick<Node, 'id' | 'isDeadNode'>) {
  const collections = () =>
    db
      .selectFrom('diagnostics')
      .innerJoin('controllers', 'controllers.id', 'diagnostics.controller_id')
      .select([
        'diagnostics.id',
        'controllers.id as controllerId',
        'controllers.organization_id as organizationId',
        enrolmentOfController.as('enrolmentId'),
        'controllers.serial_number as serialNumber',
      ]);

  /** Of the organization's archives. */
  const bytesOf = (executor: Database, organizationId: string) =>
    executor
      .selectFrom('diagnostics')
      .innerJoin('controllers', 'controllers.id', 'diagnostics.controller_id')
      .where('controllers.organization_id', '=', organizationId)
      .select(sql<string>`coalesce(sum(diagnostics.size), 0)`.as('bytes'))
      .executeTakeFirstOrThrow()
      .then(({ bytes }) => Number(bytes));

  /** Fails what `condition` holds for. */
  async function failWhere(reason: string, now: Date, condition: ReturnType<typeof sql>): Promise<Ended[]> {
    const { rows } = await sql<Ended>`
      update diagnostics set status = 'failed', reason = ${reason}, finished_at = ${now}, lease_until = null
      where ${condition}
      returning id,
        (select organization_id from controllers where controllers.id = controller_id) as "organizationId",
        (select serial_number from controllers where controllers.id = controller_id) as "serialNumber"`.execute(
      db,
    );
    return rows;
  }

  return {
    /** Archives of all controllers that are kept, and diagnostics that are under way. */
    async measureAll(): Promise<{ archives: number; bytes: number; active: number }> {
      const row = await db
        .selectFrom('diagnostics')
        .select([
          sql<number>`count(size)::double precision`.as('archives'),
          sql<number>`coalesce(sum(size), 0)::double precision`.as('bytes'),
          sql<number>`(count(*) filter (where status = any(${[...active]})))::double precision`.as('active'),
        ])
        .executeTakeFirstOrThrow();
      return row;
    },

    /** Those that wait for one of these devices, oldest first. */
    listWaiting: (enrolmentIds: readonly string[]): Promise<Collection[]> =>
      collections()
        .where('diagnostics.status', '=', sql.lit('requested'))
        .where('controllers.enrolment_id', '=', sql<string>`any(${[...enrolmentIds]}::uuid[])`)
        .orderBy('diagnostics.id')
        .execute(),

    /** The devices that any wait for. */
    async listAwaited(): Promise<string[]> {
      const rows = await collections().where('diagnostics.status', '=', sql.lit('requested')).execute();
      return rows.map((row) => row.enrolmentId);
    },

    /** Takes one that waits; false when it waits no more, so that no two servers collect it. */
    async claim(id: string, leaseUntil: Date): Promise<boolean> {
      const row = await db
        .updateTable('diagnostics')
        .set({ status: 'collecting', lease_until: leaseUntil, node_id: node.id })
        .where('id', '=', id)
        .where('status', '=', 'requested')
        .where('controller_id', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** False when it is not being collected any more. */
    async renew(id: string, progress: number, leaseUntil: Date): Promise<boolean> {
      const row = await db
        .updateTable('diagnostics')
        .set({ progress, lease_until: leaseUntil })
        .where('id', '=', id)
        .where('status', '=', 'collecting')
        .where('controller_id', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    getBytes: (organizationId: string) => bytesOf(db, organizationId),

    /**
     * Its archive is there: one of many at once that would pass the quota is refused. `gone`: it was ended meanwhile, or
     * its controller was deleted.
     */
    finish: (
      { id, organizationId }: Collection,
      archive: ReceivedArchive,
      { now, quotaBytes }: { now: Date; quotaBytes: number },
    ): Promise<'ready' | 'quota_reached' | 'gone'> =>
      db.transaction().execute(async (transaction) => {
        await transaction
          .selectFrom('organizations')
          .select('id')
          .where('id', '=', organizationId)
          .forNoKeyUpdate()
          .execute();
        if ((await bytesOf(transaction, organizationId)) + archive.size > quotaBytes) return 'quota_reached';
        const row = await transaction
          .updateTable('diagnostics')
          .set({
            status: 'ready',
            progress: archive.size,
            size: archive.size,
            sha256: archive.sha256,
            format: archive.format,
            finished_at: now,
            lease_until: null,
          })
          .where('id', '=', id)
          .where('status', '=', 'collecting')
          .where('controller_id', 'is not', null)
          .returning('id')
          .executeTakeFirst();
        return row ? 'ready' : 'gone';
      }),

    /** False when it had ended before. */
    async fail(id: string, { reason, detail }: CollectionFailure, now: Date): Promise<boolean> {
      const row = await db
        .updateTable('diagnostics')
        .set({ status: 'failed', reason, detail, finished_at: now, lease_until: null })
        .where('id', '=', id)
        .where('status', 'in', active)
        .returning('id')
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Those that wait since before. */
    failExpired: (before: Date, now: Date) =>
      failWhere('expired', now, sql`status = 'requested' and created_at <= ${before}`),

    /** Those whose server says nothing any more. */
    failAbandoned: (now: Date) =>
      failWhere('server_stopped', now, sql`status = 'collecting' and lease_until <= ${now}`),

    /** Those that a node has left which is gone. */
    failCollecting: (now: Date) =>
      failWhere('server_stopped', now, sql`status = 'collecting' and ${node.isDeadNode('node_id')}`),

    /** Of deleted controllers. */
    async listOrphans(limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('diagnostics')
        .select('id')
        .where('controller_id', 'is', null)
        .limit(limit)
        .execute();
      return rows.map((row) => row.id);
    },

    /** Those that are kept no longer, of one controller or of all. */
    async listOutdated(
      kept: { archives: number; since: Date },
      options: { controllerId?: string; limit: number },
    ): Promise<string[]> {
      const one = options.controllerId ? sql`and controller_id = ${options.controllerId}` : sql``;
      const { rows } = await sql<{ id: string }>`
        select id from (
          select id, status, created_at,
            row_number() over (partition by controller_id order by id desc) as place,
            row_number() over (partition by controller_id, status order by id desc) as place_of_status
          from diagnostics
          where controller_id is not null and status in ('ready', 'failed') ${one}
        ) finished
        where place > ${limits.diagnosticsPerController} or created_at < ${kept.since}
          or (status = 'ready' and place_of_status > ${kept.archives})
        limit ${options.limit}`.execute(db);
      return rows.map((row) => row.id);
    },

    async delete(ids: readonly string[]): Promise<void> {
      await db
        .deleteFrom('diagnostics')
        .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
        .execute();
    },
  };
}
export type CollectionsRepository = ReturnType<typeof createCollectionsRepository>;
