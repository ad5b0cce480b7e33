import { ageRecipients, cronPattern, keptBackups, origin, secret, text, yesOrNo } from './value-types.ts';

/** See variables.ts; docs/backup.md tells of them. */
export const backupVariables = {
  BACKUP_SCHEDULE: {
    type: cronPattern,
    unset: 'backups by hand only',
    description: 'When backups are made: a crontab pattern such as 0 3 * * *, in the time zone of the server',
  },
  BACKUP_DIR: {
    type: text(4096),
    unset: 'the folder backups under DATA_DIR',
    description: 'Folder of backups; better on another disk',
  },
  BACKUP_KEEP: {
    type: keptBackups,
    default: '7,4,6',
    description: 'Scheduled backups that are kept: of how many days, weeks and months the last one of each',
  },
  BACKUP_RECIPIENTS: {
    type: ageRecipients,
    unset: 'backups are not encrypted',
    description: 'Public keys of age (age1…) for which backups are encrypted, with commas between them',
  },
  BACKUP_S3_BUCKET: {
    type: text(63),
    unset: 'BACKUP_DIR',
    description:
      'Bucket for scheduled backups; needs BACKUP_S3_ACCESS_KEY_ID and BACKUP_S3_SECRET_ACCESS_KEY',
  },
  BACKUP_S3_ENDPOINT: {
    type: origin,
    unset: 'AWS',
    description: 'Address of the S3-compatible store of BACKUP_S3_BUCKET',
  },
  BACKUP_S3_REGION: { type: text(64), default: 'us-east-1', description: 'Region of BACKUP_S3_BUCKET' },
  BACKUP_S3_ACCESS_KEY_ID: {
    type: text(256),
    unset: 'none',
    description: 'Key that may read, write, list and delete in BACKUP_S3_BUCKET',
  },
  BACKUP_S3_SECRET_ACCESS_KEY: {
    type: secret(8, 256),
    unset: 'none',
    description: 'Secret of BACKUP_S3_ACCESS_KEY_ID',
  },
  BACKUP_PLAINTEXT: {
    type: yesOrNo,
    default: 'false',
    description: 'Whether backups may go to BACKUP_S3_BUCKET without encryption',
  },
  BACKUP_BEFORE_MIGRATION: {
    type: yesOrNo,
    default: 'true',
    description: 'Whether a start that changes the schema of the embedded database makes a backup first',
  },
} as const;
