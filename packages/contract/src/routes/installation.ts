import type { Route } from '../route.ts';
import {
  diagnosis,
  endingCertificates,
  installation,
  installationBackup,
  installationNodes,
  installationOrganizations,
  installationOrganizationsQuery,
  jobParams,
} from '../schemas/installation.ts';

const forAdministrators = {
  access: 'administrator',
  on: 'installation',
  confirmation: 'administer_installation',
} as const;

export const installationRoutes = {
  getInstallation: {
    method: 'GET',
    path: '/api/v1/installation/',
    ...forAdministrators,
    status: 200,
    answer: installation,
    summary: 'How the installation does: versions, certificates, disk, database, jobs, messages, backups',
  },
  getDiagnosis: {
    method: 'GET',
    path: '/api/v1/installation/doctor/',
    ...forAdministrators,
    status: 200,
    answer: diagnosis,
    summary: 'What the doctor finds; looked at anew when the last time is a minute ago',
  },
  listInstallationOrganizations: {
    method: 'GET',
    path: '/api/v1/installation/organizations/',
    ...forAdministrators,
    query: installationOrganizationsQuery,
    status: 200,
    answer: installationOrganizations,
    summary: 'All organizations with what they have, those with the most controllers first',
  },
  listInstallationNodes: {
    method: 'GET',
    path: '/api/v1/installation/nodes/',
    ...forAdministrators,
    status: 200,
    answer: installationNodes,
    summary: 'The nodes with their links, version and state; those that have left in the last day too',
  },
  listEndingCertificates: {
    method: 'GET',
    path: '/api/v1/ending-certificates/',
    access: 'user',
    on: 'installation',
    allowScopedSession: true,
    status: 200,
    answer: endingCertificates,
    summary:
      'Certificates of this server that end soon; none for who is no administrator of it and no owner of an organization',
  },
  createBackup: {
    method: 'POST',
    path: '/api/v1/installation/backups/',
    ...forAdministrators,
    status: 202,
    answer: installationBackup,
    errors: ['backup_under_way'],
    summary: 'Begin a backup now, where the scheduled ones are kept',
  },
  retryJob: {
    method: 'POST',
    path: '/api/v1/installation/jobs/{jobId}/retry/',
    ...forAdministrators,
    params: jobParams,
    status: 204,
    errors: ['job_not_found'],
    summary: 'Try a job at once whose last try has failed',
  },
  resumeAgentUpdates: {
    method: 'POST',
    path: '/api/v1/installation/agent-updates/resume/',
    ...forAdministrators,
    status: 204,
    errors: ['agent_updates_not_stopped'],
    summary: 'Go on with automatic updates of agents that stopped because one did not link with the version',
  },
} as const satisfies Record<string, Route>;
