import type { ControllerStatus } from '@pult/contract';
import type { Diagnosis } from '../../doctor/doctor.ts';
import type { Core } from '../../platform/core.ts';
import type { Feature } from '../../platform/feature.ts';
import { createJobsRepository } from '../../platform/jobs/jobs.repository.ts';
import type { RecurringJob } from '../../platform/jobs/jobs.ts';
import type { UpdateProgress } from '../agent-updates/index.ts';
import type { BackupFigures } from '../backups/index.ts';
import type { MetricsStore } from '../telemetry/index.ts';
import { createDiagnoses } from './diagnoses.ts';
import { createInstallationRepository } from './installation.repository.ts';
import { registerInstallationRoutes } from './installation.routes.ts';
import { createInstallationService } from './installation.service.ts';
import { createPartReaders, type PartReaders, type PartSources } from './parts.ts';

interface Dependencies extends Pick<PartSources, 'listCertificates' | 'devices'> {
  version: string;
  /** Called once all are there. */
  listFeatures: () => readonly Feature[];
  countControllers: () => Promise<ReadonlyMap<ControllerStatus, number>>;
  backups: {
    getFigures(): Promise<BackupFigures>;
    beginNow(requestedBy: string): Promise<string | undefined>;
  };
  agentUpdates: UpdateProgress;
  measureMeasurements: MetricsStore['measureSpace'];
  examine: () => Promise<Diagnosis>;
  timing?: InstallationTiming | undefined;
}

/** For tests of what hangs. */
export interface InstallationTiming {
  partMs?: number;
  parts?: Partial<PartReaders>;
}

/** The installation as its administrators see it. */
export function createInstallationFeature(core: Core, dependencies: Dependencies): Feature {
  const { db, node, clock, publicUrl, config, diskGuard } = core;
  const { version, listFeatures, backups, timing = {} } = dependencies;
  const repository = createInstallationRepository(db);
  const jobs = createJobsRepository(db);
  const parts = createPartReaders({
    ...dependencies,
    diskGuard,
    clock,
    repository,
    jobs,
    listRecurringJobs: () => listFeatures().flatMap(({ jobs: own = [] }): readonly RecurringJob[] => own),
    settings: {
      dataDir: config.data.dir,
      hasEmbeddedDatabase: config.database.url === undefined,
      maxControllers: config.settings.maxActivatedControllers,
      isMailServed: core.mail.isDelivering,
      isTotpEnabled: config.settings.totpAuthEnabled,
      backupPlace: config.backups.s3 ? 'bucket' : 'folder',
      areBackupsEncrypted: config.backups.recipients.length > 0,
    },
  });
  const installation = createInstallationService(core, {
    program: { version, node: process.versions.node, startedAt: clock.now() },
    parts: { ...parts, ...timing.parts },
    repository,
    jobs,
    listCertificates: dependencies.listCertificates,
    listNodes: node.list,
    measureMeasurements: dependencies.measureMeasurements,
    beginBackup: backups.beginNow,
    resumeAgentUpdates: dependencies.agentUpdates.resume,
    partTimeoutMs: timing.partMs,
  });
  const diagnoses = createDiagnoses({ examine: dependencies.examine, clock });
  return {
    name: 'installation',
    routes: ({ api }) => registerInstallationRoutes(api, installation, { diagnoses, publicUrl }),
  };
}
