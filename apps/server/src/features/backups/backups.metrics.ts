import { type Counts, type Metric, sample, shareReading } from '../../platform/prometheus/metric.ts';
import type { BackupFigures } from './schedule/scheduled-backups.ts';

/** Backups that the server makes by itself; those of commands are nowhere noted. */
export function createBackupMetrics(backups: {
  getFigures(): Promise<BackupFigures>;
  /** Since the start, by what became of them. */
  outcomes: Counts;
}): readonly Metric[] {
  const read = shareReading(backups.getFigures);
  return [
    {
      name: 'pult_backup_last_success_timestamp_seconds',
      help: 'When the newest backup was begun that is whole; there is no sample where there is none',
      type: 'gauge',
      async read() {
        const { lastSuccess } = await read();
        return lastSuccess ? sample(lastSuccess.at.getTime() / 1000) : [];
      },
    },
    {
      name: 'pult_backup_size_bytes',
      help: 'Size of the newest backup; there is no sample where there is none',
      type: 'gauge',
      async read() {
        const { lastSuccess } = await read();
        return lastSuccess ? sample(lastSuccess.bytes) : [];
      },
    },
    {
      name: 'pult_backup_overdue',
      help: 'Whether the newest backup is older than twice the interval; there is no sample without BACKUP_SCHEDULE',
      type: 'gauge',
      async read() {
        const { isScheduled, isOverdue } = await read();
        return isScheduled ? sample(isOverdue ? 1 : 0) : [];
      },
    },
    {
      name: 'pult_backups_total',
      help: 'Backups that were begun, by what became of them',
      type: 'counter',
      labels: ['outcome'],
      read: () => backups.outcomes.read('outcome'),
    },
  ];
}
