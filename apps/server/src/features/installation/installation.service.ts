import type { Installation } from '@pult/contract';
import type { Caller } from '../../platform/access/index.ts';
import type { Node } from '../../platform/cluster/index.ts';
import type { Core } from '../../platform/core.ts';
import { withDeadline } from '../../platform/deadline.ts';
import { DomainError } from '../../platform/errors.ts';
import type { ServedCertificate } from '../../platform/http/certificate-metrics.ts';
import { type FoundPage, type Page, toPage } from '../../platform/http/pages.ts';
import type { JobsRepository } from '../../platform/jobs/jobs.repository.ts';
import { shareReading } from '../../platform/prometheus/metric.ts';
import { listEndingCertificates } from './ending-certificates.ts';
import type { InstallationRepository, OrganizationFigures } from './installation.repository.ts';
import type { PartReaders } from './parts.ts';

interface Dependencies {
  program: { version: string; node: string; startedAt: Date };
  parts: PartReaders;
  repository: InstallationRepository;
  jobs: JobsRepository;
  listNodes: Node['list'];
  measureMeasurements: () => Promise<ReadonlyMap<string, number> | undefined>;
  listCertificates: () => ServedCertificate[];
  resumeAgentUpdates: (caller: Caller) => Promise<void>;
  beginBackup: (requestedBy: string) => Promise<string | undefined>;
  /** Of one part; nobody waits longer for all of them together. */
  partTimeoutMs?: number | undefined;
}

interface MeasuredOrganization extends OrganizationFigures {
  /** Null where that could not be told. */
  measurementBytes: number | null;
}

/** What administrators of the installation see of it, and the little that they can do from here. */
export function createInstallationService({ clock, log }: Core, dependencies: Dependencies) {
  const {
    program,
    parts,
    repository,
    jobs,
    listCertificates,
    measureMeasurements,
    beginBackup,
    resumeAgentUpdates,
    partTimeoutMs = 3_000,
  } = dependencies;

  /** Whoever asks while a part is being read waits for the same answer: a source that hangs is asked once. */
  const guard = <T>(name: string, read: () => Promise<T>): (() => Promise<T | null>) => {
    const readOnce = shareReading(async () => read());
    return async () => {
      try {
        return await withDeadline(readOnce(), partTimeoutMs);
      } catch (error) {
        log.warn({ err: error, part: name }, 'a part of the installation could not be told');
        return null;
      }
    };
  };
  const readers = {
    backups: guard('backups', parts.backups),
    certificates: guard('certificates', parts.certificates),
    disk: guard('disk', parts.disk),
    database: guard('database', parts.database),
    controllers: guard('controllers', parts.controllers),
    agentUpdates: guard('agentUpdates', parts.agentUpdates),
    jobs: guard('jobs', parts.jobs),
    deliveries: guard('deliveries', parts.deliveries),
    people: guard('people', parts.people),
    measurements: guard('measurements', measureMeasurements),
  };

  return {
    async getInstallation(): Promise<Installation> {
      const [backups, certificates, disk, database, controllers, agentUpdates, queue, deliveries, people] =
        await Promise.all([
          readers.backups(),
          readers.certificates(),
          readers.disk(),
          readers.database(),
          readers.controllers(),
          readers.agentUpdates(),
          readers.jobs(),
          readers.deliveries(),
          readers.people(),
        ]);
      return {
        ...program,
        startedAt: program.startedAt.toISOString(),
        backups,
        certificates,
        disk,
        database,
        controllers,
        agentUpdates,
        jobs: queue,
        deliveries,
        people,
      };
    },

    async listOrganizations(query: Parameters<typeof toPage>[0]): Promise<FoundPage<MeasuredOrganization>> {
      const page: Page = toPage(query);
      const [found, count, measurements] = await Promise.all([
        repository.listOrganizations(page),
        repository.countOrganizations(),
        readers.measurements(),
      ]);
      const results = found.map((row) => ({
        ...row,
        measurementBytes: measurements ? (measurements.get(row.id) ?? 0) : null,
      }));
      return { page, count, results };
    },

    listNodes: dependencies.listNodes,

    /** For the administrators of the installation and the owners of its organizations; others are told of none. */
    async listEndingCertificates({
      principal: { userId, isAdministrator },
    }: Caller): Promise<ServedCertificate[]> {
      const ending = listEndingCertificates(listCertificates(), clock.now());
      if (ending.length === 0 || isAdministrator) return ending;
      return (await repository.isOwner(userId)) ? ending : [];
    },

    /** Resolves when it has begun. */
    async createBackup(caller: Caller): Promise<{ name: string }> {
      const name = await beginBackup(caller.principal.email);
      if (name === undefined) throw new DomainError('backup_under_way');
      await caller.audit('backup.requested', { subject: name });
      return { name };
    },

    resumeAgentUpdates,

    async retryJob(caller: Caller, id: string): Promise<void> {
      const name = await jobs.retry(id);
      if (name === undefined) throw new DomainError('job_not_found');
      await caller.audit('job.retried', { subject: name, details: { id } });
    },
  };
}
export type InstallationService = ReturnType<typeof createInstallationService>;
