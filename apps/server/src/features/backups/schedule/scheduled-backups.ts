import { listedBackups } from '@pult/contract';
import { Cron } from 'croner';
import type { Clock } from '../../../platform/clock.ts';
import type { Node } from '../../../platform/cluster/index.ts';
import type { DiskGuard } from '../../../platform/disk-guard.ts';
import { DomainError } from '../../../platform/errors.ts';
import { createId } from '../../../platform/ids.ts';
import type { Logger } from '../../../platform/log.ts';
import { Counts } from '../../../platform/prometheus/metric.ts';
import { nameBackup } from '../create/name-backup.ts';
import type { BackupRun, BackupRunsRepository } from './backup-runs.repository.ts';
import { type KeptBackups, listOutdated } from './kept.ts';
import type { BackupPlace } from './places/place.ts';

/** What is told of backups: to the log, to a page and to metrics. */
export interface BackupFigures {
  isScheduled: boolean;
  isUnderWay: boolean;
  nextAt: Date | undefined;
  lastSuccess: { name: string; at: Date; bytes: number; ageSeconds: number } | undefined;
  /** Why the last one failed; undefined when it did not. */
  lastFailure: { at: Date; reason: string } | undefined;
  /** The newest ones, those by hand too. */
  runs: readonly BackupRun[];
  /** None has succeeded for twice the time from one to the next. */
  isOverdue: boolean;
}

interface Dependencies {
  repository: BackupRunsRepository;
  place: BackupPlace;
  /** Makes one under the name and resolves to its bytes. */
  run(name: string, signal: AbortSignal): Promise<number>;
  /** None is made while the disk is nearly full, and the one under way ends. */
  diskGuard: Pick<DiskGuard, 'room' | 'onChange'>;
  node: Pick<Node, 'id'>;
  settings: { schedule: string | undefined; kept: KeptBackups; recipients: readonly string[] };
  clock: Clock;
  log: Logger;
}

const retryMs = 30 * 60_000;
const warnEveryMs = 3_600_000;
const runsKeptMs = 400 * 24 * 3_600_000;

/**
 * Makes backups when they are due or somebody asks for one, one after the other, and removes those that are kept no
 * longer.
 */
export function createScheduledBackups(dependencies: Dependencies) {
  const { repository, place, run, diskGuard, node, settings, clock, log } = dependencies;
  const schedule = settings.schedule === undefined ? undefined : createSchedule(settings.schedule);
  const outcomes = new Counts(['done', 'failed']);
  let ending = new AbortController();
  const startedAt = clock.now();
  let warnedAt = 0;
  let underWay: Promise<void> | undefined;
  /** Two who ask at the same moment get one backup. */
  let isBeginning = false;

  const unwatch = diskGuard.onChange((room) => {
    if (room === 'enough') return;
    ending.abort(new Error('the disk is nearly full'));
    ending = new AbortController();
  });

  async function make(id: string, name: string, madeAt: Date): Promise<void> {
    try {
      const size = await run(name, ending.signal);
      await repository.end(id, { endedAt: clock.now(), size, error: null });
      outcomes.add('done');
      log.info({ name, size }, 'backup made');
      const outdated = listOutdated(await place.list(), madeAt, settings.kept);
      for (const each of outdated) await place.remove(each);
      await repository.removeOld(new Date(clock.now().getTime() - runsKeptMs));
    } catch (error) {
      outcomes.add('failed');
      log.error({ err: error, name }, 'the backup failed');
      const reason = error instanceof Error ? error.message : String(error);
      await repository
        .end(id, { endedAt: clock.now(), size: null, error: reason })
        // The next start says so.
        .catch((failure: Error) => log.error({ err: failure }, 'a failed backup was not noted'));
    }
  }

  async function getFigures(): Promise<BackupFigures> {
    const now = clock.now().getTime();
    const [done, last, runs] = await Promise.all([
      repository.getLast('done'),
      repository.getLast(),
      repository.listNewest(listedBackups),
    ]);
    const at = done?.startedAt ?? startedAt;
    return {
      isScheduled: schedule !== undefined,
      // Another server of the same database may make it.
      isUnderWay: last?.status === 'running',
      nextAt: schedule?.getNext(new Date(now)),
      lastSuccess: done && {
        name: done.name,
        at: done.startedAt,
        bytes: done.size ?? 0,
        ageSeconds: Math.round((now - done.startedAt.getTime()) / 1000),
      },
      lastFailure:
        last?.status === 'failed'
          ? { at: last.endedAt ?? last.startedAt, reason: last.error ?? '' }
          : undefined,
      runs,
      isOverdue: schedule !== undefined && now - at.getTime() > 2 * schedule.getInterval(new Date(now)),
    };
  }

  async function warnWhenOverdue(): Promise<void> {
    const now = clock.now().getTime();
    if (now - warnedAt < warnEveryMs) return;
    const figures = await getFigures();
    if (!figures.isOverdue) return;
    warnedAt = now;
    log.error(
      { lastSuccess: figures.lastSuccess, lastFailure: figures.lastFailure?.reason },
      'the newest backup is older than twice the interval of BACKUP_SCHEDULE',
    );
  }

  /** Resolves to the name of the one that has begun; undefined where it is not to be made, or one is under way. */
  async function begin(dueAt: Date, now: Date, requestedBy: string | null): Promise<string | undefined> {
    if (underWay || isBeginning || ending.signal.aborted) return undefined;
    isBeginning = true;
    try {
      const name = nameBackup(now, settings.recipients);
      const retryBefore = new Date(now.getTime() - retryMs);
      const id = await repository.claim({
        id: createId(),
        dueAt,
        startedAt: now,
        name,
        requestedBy,
        retryBefore,
        nodeId: node.id,
      });
      if (id === undefined) return undefined;
      underWay = make(id, name, now).finally(() => {
        underWay = undefined;
      });
      return name;
    } finally {
      isBeginning = false;
    }
  }

  return {
    getFigures,
    /** Since the start. */
    outcomes,

    /** Begins the backup that is due, and does not wait for it. */
    async beginDue(): Promise<void> {
      await warnWhenOverdue();
      const now = clock.now();
      const dueAt = schedule?.getDue(now);
      if (dueAt !== undefined && diskGuard.room === 'enough') await begin(dueAt, now, null);
    },

    /**
     * Begins one at once, for the administrator of that email, and does not wait for it. Its name; undefined where one is under way. Throws
     * `storage_full`.
     */
    async beginNow(requestedBy: string): Promise<string | undefined> {
      if (diskGuard.room !== 'enough') throw new DomainError('storage_full');
      if ((await getFigures()).isUnderWay) return undefined;
      const now = clock.now();
      return begin(now, now, requestedBy);
    },

    /** Resolves when the one under way is over. */
    whenIdle: async () => underWay,

    /** Ends the one under way: it leaves nothing behind. */
    async stop(): Promise<void> {
      unwatch();
      ending.abort(new Error('the server stops'));
      await underWay;
    },
  };
}

/** Times of a crontab pattern in the time zone of the server. */
function createSchedule(pattern: string) {
  const cron = new Cron(pattern, { paused: true });
  const before = (at: Date) => cron.previousRuns(1, at)[0];
  return {
    /** The last time that has come. */
    getDue: (now: Date): Date | undefined => before(new Date(now.getTime() + 1)),
    getNext: (now: Date): Date | undefined => cron.nextRun(now) ?? undefined,
    /** Milliseconds between the last time and the next one. */
    getInterval(now: Date): number {
      const [last, next] = [before(new Date(now.getTime() + 1)), cron.nextRun(now)];
      return last && next ? next.getTime() - last.getTime() : Number.POSITIVE_INFINITY;
    },
  };
}
