import type { Database } from '../../../platform/db/schema.ts';

export interface BackupRun {
  startedAt: Date;
  endedAt: Date | null;
  status: 'running' | 'done' | 'failed';
  name: string;
  size: number | null;
  error: string | null;
}

export type BackupRunsRepository = ReturnType<typeof createBackupRunsRepository>;

/** Backups of the installation: they belong to no organization. */
export function createBackupRunsRepository(db: Database) {
  const runs = () =>
    db.selectFrom('backup_runs').select(['started_at', 'ended_at', 'status', 'name', 'size', 'error']);
  const toRun = (
    row: Awaited<ReturnType<ReturnType<typeof runs>['executeTakeFirstOrThrow']>>,
  ): BackupRun => ({
    startedAt: row.started_at,
    endedAt: row.ended_at,
    status: row.status,
    name: row.name,
    size: row.size === null ? null : Number(row.size),
    error: row.error,
  });

  return {
    /** Its id; undefined when that time was taken before, here or by another node, and has not failed before `retryBefore`. */
    async claim(run: {
      id: string;
      dueAt: Date;
      startedAt: Date;
      name: string;
      retryBefore: Date;
    }): Promise<string | undefined> {
      const { id, dueAt, startedAt, name, retryBefore } = run;
      const claimed = await db
        .insertInto('backup_runs')
        .values({ id, due_at: dueAt, started_at: startedAt, ended_at: null, name, error: null })
        .onConflict((conflict) =>
          conflict
            .column('due_at')
            .doUpdateSet({ status: 'running', started_at: startedAt, ended_at: null, name, error: null })
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

    /** Of those that were under way when their server was killed: begun before `startedBefore`. */
    async endInterrupted(now: Date, startedBefore: Date): Promise<void> {
      await db
        .updateTable('backup_runs')
        .set({ status: 'failed', ended_at: now, error: 'the server ended meanwhile' })
        .where('status', '=', 'running')
        .where('started_at', '<', startedBefore)
        .execute();
    },

    async getLast(status?: 'done' | 'failed'): Promise<BackupRun | undefined> {
      let query = runs().orderBy('due_at', 'desc').limit(1);
      if (status) query = query.where('status', '=', status);
      const row = await query.executeTakeFirst();
      return row && toRun(row);
    },

    async removeOld(before: Date): Promise<void> {
      await db.deleteFrom('backup_runs').where('due_at', '<', before).execute();
    },
  };
}
