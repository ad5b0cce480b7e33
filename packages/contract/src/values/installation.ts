/** How something of the installation does. */
export const healthStates = ['ok', 'warn', 'fail'] as const;
export type HealthState = (typeof healthStates)[number];

/** What may be wrong with a part of the installation, and how bad that is. The console says what to do about each. */
export const installationProblems = {
  certificate_ending: 'warn',
  certificate_ended: 'fail',
  disk_low: 'warn',
  disk_full: 'fail',
  database_slow: 'warn',
  license_near: 'warn',
  license_reached: 'warn',
  jobs_failed: 'warn',
  jobs_late: 'warn',
  mail_unserved: 'warn',
  deliveries_late: 'warn',
  deliveries_refused: 'warn',
  backups_unscheduled: 'warn',
  backup_without_database: 'warn',
  backup_failed: 'warn',
  backup_overdue: 'fail',
  administrator_without_totp: 'warn',
  agent_updates_stopped: 'warn',
} as const satisfies Record<string, HealthState>;
export type InstallationProblem = keyof typeof installationProblems;

/** The worst of them; `ok` where there is none. */
export function worstState(states: readonly HealthState[]): HealthState {
  return [...healthStates].reverse().find((state) => states.includes(state)) ?? 'ok';
}

/** The server's own certificate, that of the tunnel hosts, and that of the names at which Wiren Board controllers come. */
export const servedCertificates = ['server', 'tunnels', 'wiren-board'] as const;
export type ServedCertificateName = (typeof servedCertificates)[number];

/** What the doctor looks at, in the order in which it tells of it. */
export const doctorChecks = [
  'address',
  'certificate',
  'acme',
  'clock',
  'ports',
  'proxy',
  'wiren-board',
  'mail',
  'disk',
  'database',
  'kernel',
  'nats',
  'victoriametrics',
  's3',
  'grafana',
  'traces',
] as const;
export type DoctorCheckName = (typeof doctorChecks)[number];

/** How a backup came about: by BACKUP_SCHEDULE, by the button of the console, by `pult backup create`. */
export const backupOrigins = ['schedule', 'console', 'command'] as const;
export type BackupOrigin = (typeof backupOrigins)[number];

/** The newest backups are listed up to this number. */
export const listedBackups = 10;

/** Jobs that have failed are listed up to this number; all of them are counted. */
export const listedJobFailures = 20;
