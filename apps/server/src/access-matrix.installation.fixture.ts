import type { RouteName } from '@pult/contract';
import { sql } from 'kysely';
import { expect } from 'vitest';
import { type Entry, type Matrix, ownAffair } from './access-matrix.organizations.fixture.ts';

/** The calls about the installation, which belong to its administrators whatever else they are. */
export function createInstallationEntries(matrix: () => Matrix) {
  const nothing = async () => ({});
  const outsider = 'administrator_required';

  /** The one of the call before has ended: there is nothing to back up here. */
  async function prepareBackup() {
    const { db } = matrix().server;
    const running = db.selectFrom('backup_runs').select('id').where('status', '=', 'running');
    await expect.poll(() => running.execute()).toEqual([]);
    // The clock stands still: it would be the same moment again.
    await db.deleteFrom('backup_runs').execute();
    return {};
  }

  async function prepareFailedJob() {
    const { db } = matrix().server;
    const { rows } = await sql<{ id: string }>`
      select id::text from graphile_worker.add_job('matrix', run_at => now() + interval '1 day')`.execute(db);
    const jobId = rows[0]?.id ?? '';
    await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no'
      where id::text = ${jobId}`.execute(db);
    return { params: { jobId } };
  }

  async function prepareStoppedUpdates() {
    const { db, clock } = matrix().server;
    const stopped = { stopped_at: clock.now(), stopped_reason: 'silent', stopped_detail: null } as const;
    await db
      .insertInto('agent_update_waves')
      .values({ version: '1.0.0', wave: 0, started_at: clock.now(), resumed_at: null, ...stopped })
      .onConflict((conflict) => conflict.column('version').doUpdateSet(stopped))
      .execute();
    return {};
  }

  return {
    getInstallation: { prepare: nothing, outsider },
    getDiagnosis: { prepare: nothing, outsider },
    listInstallationOrganizations: { prepare: nothing, outsider },
    listInstallationNodes: { prepare: nothing, outsider },
    listEndingCertificates: { prepare: nothing, outsider: ownAffair },
    createBackup: { prepare: prepareBackup, outsider },
    resumeAgentUpdates: { prepare: prepareStoppedUpdates, outsider },
    retryJob: { prepare: prepareFailedJob, outsider },
  } satisfies Partial<Record<RouteName, Entry>>;
}
