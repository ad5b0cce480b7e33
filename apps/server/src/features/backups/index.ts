export { isRecipient, readIdentities } from './format/encryption.ts';
export { BackupError } from './format/entry.ts';
export { lockBackups } from './lock.ts';
export { type BackupProgress, createBackup } from './making/create-backup.ts';
export { isBackupName, nameBackup, timeOfBackup } from './making/name-backup.ts';
export { openBackupSource } from './making/open-source.ts';
export { openBackupFile } from './returning/open-file.ts';
export { restoreBackup } from './returning/restore-backup.ts';
export { verifyBackup } from './returning/verify-backup.ts';
