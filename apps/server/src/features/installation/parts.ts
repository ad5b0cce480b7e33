import {
  type ControllerStatus,
  type Installation,
  type InstallationProblem,
  licenseNearShare,
  listedJobFailures,
} from '@pult/contract';
import { measureDisk } from '@pult/files';
import type { Clock } from '../../platform/clock.ts';
import type { DiskGuard } from '../../platform/disk-guard.ts';
import { judgeRoom } from '../../platform/disk-space.ts';
import type { ServedCertificate } from '../../platform/http/certificate-metrics.ts';
import type { JobsRepository } from '../../platform/jobs/jobs.repository.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import { oneLine } from '../../platform/one-line.ts';
import type { UpdateProgress } from '../agent-updates/index.ts';
import type { BackupFigures } from '../backups/index.ts';
import type { DevicesFeature, LocalLinks } from '../devices/index.ts';
import { listEndingCertificates } from './ending-certificates.ts';
import type { InstallationRepository } from './installation.repository.ts';

type PartName = Exclude<keyof Installation, 'version' | 'node' | 'startedAt'>;
/** Each reads one part; a failure or a reader that hangs leaves its part out of the answer alone. */
export type PartReaders = { [Name in PartName]: () => Promise<NonNullable<Installation[Name]>> };

export interface PartSources {
  clock: Clock;
  repository: InstallationRepository;
  jobs: JobsRepository;
  listRecurringJobs: () => readonly RecurringJob[];
  backups: { getFigures(): Promise<BackupFigures> };
  diskGuard: Pick<DiskGuard, 'room'>;
  listCertificates: () => ServedCertificate[];
  agentUpdates: Pick<UpdateProgress, 'getFigures'>;
  devices: Pick<DevicesFeature, 'getWirenBoardOff'> & { links: Pick<LocalLinks, 'listIds'> };
  countControllers: () => Promise<ReadonlyMap<ControllerStatus, number>>;
  settings: {
    dataDir: string;
    hasEmbeddedDatabase: boolean;
    /** 0: no limit. */
    maxControllers: number;
    isMailServed: boolean;
    isTotpEnabled: boolean;
    backupPlace: 'folder' | 'bucket';
    areBackupsEncrypted: boolean;
  };
}

const slowAnswerMs = 1_000;
const lateJobSeconds = 600;
/** As the alert rule of deploy/ has it. */
const lateDeliveryMs = 1_800_000;
const dayMs = 86_400_000;
const nearEndMs = 2 * dayMs;
const mailChannel = 'mail';

const toText = (at: Date | null | undefined) => at?.toISOString() ?? null;
/** The problems that there are, of those that there may be. */
const listProblems = (found: Partial<Record<InstallationProblem, boolean>>): InstallationProblem[] =>
  (Object.keys(found) as InstallationProblem[]).filter((problem) => found[problem]);

export function createPartReaders(sources: PartSources): PartReaders {
  const { clock, repository, settings } = sources;

  return {
    async backups() {
      const { lastSuccess, lastFailure, runs, ...figures } = await sources.backups.getFigures();
      return {
        problems: listProblems({
          backup_overdue: figures.isOverdue,
          backup_failed: lastFailure !== undefined,
          backups_unscheduled: !figures.isScheduled,
          backup_without_database: !settings.hasEmbeddedDatabase,
        }),
        isScheduled: figures.isScheduled,
        isUnderWay: figures.isUnderWay,
        isEncrypted: settings.areBackupsEncrypted,
        hasDatabase: settings.hasEmbeddedDatabase,
        place: settings.backupPlace,
        nextAt: toText(figures.nextAt),
        lastSuccess: lastSuccess
          ? { name: lastSuccess.name, at: lastSuccess.at.toISOString(), bytes: lastSuccess.bytes }
          : null,
        lastFailure: lastFailure
          ? { at: lastFailure.at.toISOString(), reason: describeFailure(lastFailure.reason) }
          : null,
        runs: runs.map(({ name, startedAt, origin, requestedBy, status, size, error }) => ({
          name,
          startedAt: startedAt.toISOString(),
          origin,
          requestedBy,
          status,
          bytes: size,
          reason: error === null ? null : describeFailure(error),
        })),
      };
    },

    async certificates() {
      const list = sources.listCertificates();
      const now = clock.now();
      const ending = listEndingCertificates(list, now);
      const nearEnd = ending.filter(({ validUntil }) => validUntil.getTime() - now.getTime() < nearEndMs);
      return {
        problems: listProblems({
          certificate_ended: nearEnd.length > 0,
          certificate_ending: nearEnd.length === 0 && ending.length > 0,
        }),
        list: list.map(({ name, validUntil }) => ({ name, validUntil: validUntil.toISOString() })),
      };
    },

    async disk() {
      const space = await measureDisk(settings.dataDir);
      const room = sources.diskGuard.room === 'full' ? 'fail' : judgeRoom(space);
      return {
        problems: listProblems({ disk_full: room === 'fail', disk_low: room === 'warn' }),
        bytes: space.bytes,
        availableBytes: space.availableBytes,
      };
    },

    async database() {
      const begun = performance.now();
      const { version, bytes } = await repository.getDatabase();
      const answerMs = performance.now() - begun;
      return {
        problems: listProblems({ database_slow: answerMs > slowAnswerMs }),
        version,
        isEmbedded: settings.hasEmbeddedDatabase,
        bytes,
        answerMs,
      };
    },

    async controllers() {
      const counts = await sources.countControllers();
      const count = [...counts.values()].reduce((sum, each) => sum + each, 0);
      const limit = settings.maxControllers > 0 ? settings.maxControllers : null;
      return {
        problems: listProblems({
          license_reached: limit !== null && count >= limit,
          license_near: limit !== null && count < limit && count >= limit * licenseNearShare,
        }),
        links: sources.devices.links.listIds().length,
        count,
        countOnline: counts.get('online') ?? 0,
        limit,
        wirenBoardOff: sources.devices.getWirenBoardOff() ?? null,
      };
    },

    async agentUpdates() {
      const figures = await sources.agentUpdates.getFigures();
      const isStopped = figures.wave?.stopped != null;
      return { problems: listProblems({ agent_updates_stopped: isStopped }), ...figures };
    },

    async jobs() {
      const { jobs } = sources;
      const [counts, delay, failures, lastRuns] = await Promise.all([
        jobs.countByState(),
        jobs.getDelay(),
        jobs.listFailed(listedJobFailures),
        jobs.listLastRuns(),
      ]);
      const failed = counts.get('failed') ?? 0;
      return {
        problems: listProblems({ jobs_failed: failed > 0, jobs_late: delay > lateJobSeconds }),
        waiting: counts.get('waiting') ?? 0,
        due: counts.get('due') ?? 0,
        running: counts.get('running') ?? 0,
        failed,
        failures: failures.map((failure) => ({
          ...failure,
          failedAt: failure.failedAt.toISOString(),
          error: describeFailure(failure.error),
        })),
        recurring: sources.listRecurringJobs().map(({ name, schedule }) => ({
          name,
          schedule,
          lastRunAt: toText(lastRuns.get(name)),
        })),
      };
    },

    async deliveries() {
      const now = clock.now().getTime();
      const channels = await repository.listChannels(new Date(now - dayMs));
      const isServed = (channel: string) => channel !== mailChannel || settings.isMailServed;
      return {
        problems: listProblems({
          deliveries_late: channels.some(
            ({ channel, oldest }) => isServed(channel) && oldest && now - oldest.getTime() > lateDeliveryMs,
          ),
          deliveries_refused: channels.some(({ refused }) => refused > 0),
          mail_unserved: !settings.isMailServed,
        }),
        channels: channels.map(({ oldest, ...channel }) => ({ ...channel, oldestWaitingAt: toText(oldest) })),
      };
    },

    async people() {
      const people = await repository.countPeople();
      return {
        problems: listProblems({
          administrator_without_totp: settings.isTotpEnabled && people.administratorsWithoutTotp > 0,
        }),
        ...people,
      };
    },
  };
}

/** What has failed said of it, as one line without the logins that addresses may hold. */
function describeFailure(text: string): string {
  const [line = ''] = text.split('\n', 1);
  return oneLine(line.slice(0, 1_000).replace(/\/\/[^\s/@]{1,500}@/g, '//'));
}
