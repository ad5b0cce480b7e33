import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createBackupMetrics } from './backups.metrics.ts';
import { createBackupRunsRepository } from './schedule/backup-runs.repository.ts';
import { openBackupPlace } from './schedule/places/open-place.ts';
import { type BackupFigures, createScheduledBackups } from './schedule/scheduled-backups.ts';

export interface BackupsFeature extends Feature {
  getFigures(): Promise<BackupFigures>;
  /** See createScheduledBackups. */
  beginNow(requestedBy: string): Promise<string | undefined>;
}

const day = 24 * 3_600_000;

/** Backups by a schedule, and those that an administrator asks for in the console; others by hand are commands. */
export async function createBackupsFeature(
  { db, node, clock, log, config, secrets, diskGuard }: Core,
  { version }: { version: string },
): Promise<BackupsFeature> {
  const { schedule, kept, recipients } = config.backups;
  const repository = createBackupRunsRepository(db);
  const place = await openBackupPlace(config);

  async function run(name: string, signal: AbortSignal): Promise<number> {
    // Loaded when it is needed: encryption and threads are much code.
    const [{ runBackup }, { openBackupSource }] = await Promise.all([
      import('./schedule/run-backup.ts'),
      import('./create/open-source.ts'),
    ]);
    const { source, close } = await openBackupSource({ config, secrets, version, log });
    try {
      return await runBackup(source, { name, place, recipients, log, signal });
    } finally {
      await close();
    }
  }

  const settings = { schedule, kept, recipients };
  const backups = createScheduledBackups({ repository, place, run, settings, diskGuard, node, clock, log });
  return {
    name: 'backups',
    getFigures: backups.getFigures,
    beginNow: backups.beginNow,
    metrics: createBackupMetrics(backups),
    jobs: schedule === undefined ? [] : [{ name: 'back-up', schedule: '* * * * *', run: backups.beginDue }],
    recoverFromCrash() {
      const now = clock.now();
      // Beside an external database there may be another server that makes one at this moment, which is no node of ours.
      const isOurs = config.database.url === undefined || config.nodes !== undefined;
      const startedBefore = isOurs ? now : new Date(now.getTime() - day);
      return repository.endInterrupted(now, startedBefore, node);
    },
    drain: backups.stop,
  };
}
