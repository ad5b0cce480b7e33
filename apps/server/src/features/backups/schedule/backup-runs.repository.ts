import type { BackupOrigin } from '@pult/contract';
import type { Node } from '../../../platform/cluster/index.ts';
import type { Database } from '../../../platform/db/schema.ts';

export interface BackupRun {
  startedAt: Date;
  endedAt: Date | null;
  status: 'running' | 'done' | 'failed';
  name: string;
  size: number | null;
  error: string | null;
  origin: BackupOrigin;
  /** An email, or an account on this machine; null of the schedule. */
  requestedBy: string | null;
}

export type BackupRunsRepository = ReturnType<typeof createBackupRunsRepository>;

/** Backups of the installation: they belong to no organization. */
export function createBackupRunsRepository(db: Database) {
  const runs = () =>
    db
      .selectFrom('backup_runs')
      .select(['started_at', 'ended_at', 'status', 'name', 'size', 'error', 'origin', 'requested_by']);
  const toRun = (
    row: Awaited<ReturnType<ReturnType<typeof runs>['executeTakeFirstOrThrow']>>,
  ): BackupRun => ({
    startedAt: row.started_at,
    endedAt: row.ended_at,
    status: row.status,
    name: row.name,
    size: row.size === null ? null : Number(row.size),
    error: row.error,
    origin: row.origin,
    requestedBy: row.requested_by,
  });

  return {
    /** Its id; undefined when that time was taken before, here or by another node, and has not failed before `retryBefore`. */
    async claim(run: {
      id: string;
      dueAt: Date;
      startedAt: Date;
      name: string;
      /** The email of who asked for it in the console; null of the schedule. */
      requestedBy: string | null;
      retryBefore: Date;
      /** That makes it. */
      nodeId: string;
    }): Promise<string | undefined> {
      const { id, dueAt, startedAt, name, requestedBy, retryBefore, nodeId } = run;
      const origin = requestedBy === null ? 'schedule' : 'console';
      const claimed = await db
        .insertInto('backup_runs')
        .values({
          id,
          due_at: dueAt,
          started_at: startedAt,
          ended_at: null,
          name,
          error: null,
          origin,
          requested_by: requestedBy,
          node_id: nodeId,
        })
        .onConflict((conflict) =>
          conflict
            .column('due_at')
            .doUpdateSet({
              status: 'running',
              started_at: startedAt,
              ended_at: null,
              name,
              error: null,
              node_id: nodeId,
            })
            .where('backup_runs.status', '=', 'failed')
            .where('backup_runs.ended_at', '<', retryBefore),
        )
        .returning('id')
        .executeTakeFirst();
      return claimed?.id;
    },

    async end(
      id: string,
      outcome: { endedAt: Date; size: number | null; error: string | null },
    ): Promise<void> {
      const { endedAt, size, error } = outcome;
      await db
        .updateTable('backup_runs')
        .set({ status: error === null ? 'done' : 'failed', ended_at: endedAt, size, error })
        .where('id', '=', id)
        .execute();
    },

    /** Of one that a command has made, or failed to make. */
    async record(
      id: string,
      run: Pick<BackupRun, 'startedAt' | 'name' | 'size' | 'error' | 'requestedBy'> & { endedAt: Date },
    ): Promise<void> {
      await db
        .insertInto('backup_runs')
        .values({
          id,
          due_at: run.startedAt,
          started_at: run.startedAt,
          ended_at: run.endedAt,
          status: run.error === null ? 'done' : 'failed',
          name: run.name,
          size: run.size,
          error: run.error,
          origin: 'command',
          requested_by: run.requestedBy,
        })
        .execute();
    },

    /** Of those that a node has left which is gone: begun before `startedBefore`. */
    async endInterrupted(now: Date, startedBefore: Date, node: Pick<Node, 'isDeadNode'>): Promise<void> {
      await db
        .updateTable('backup_runs')
        .set({ status: 'failed', ended_at: now, error: 'the server ended meanwhile' })
        .where('status', '=', 'running')
        .where('started_at', '<', startedBefore)
        .where(node.isDeadNode('node_id'))
        .execute();
    },

    /** Of those that the server makes: what a command has made is checked by nobody, and may be kept anywhere. */
    async getLast(status?: 'done' | 'failed'): Promise<BackupRun | undefined> {
      let query = runs().where('origin', '<>', 'command').orderBy('due_at', 'desc').limit(1);
      if (status) query = query.where('status', '=', status);
      const row = await query.executeTakeFirst();
      return row && toRun(row);
    },

    /** Of all, the newest first. */
    async listNewest(limit: number): Promise<BackupRun[]> {
      const rows = await runs().orderBy('started_at', 'desc').limit(limit).execute();
      return rows.map(toRun);
    },

    async removeOld(before: Date): Promise<void> {
      await db.deleteFrom('backup_runs').where('due_at', '<', before).execute();
    },
  };
}
