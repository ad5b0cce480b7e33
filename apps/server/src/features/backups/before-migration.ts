import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Secrets } from '../../config/secrets.ts';
import type { Logger } from '../../platform/log.ts';

/** Makes a backup of what a migration is about to change. Throws the line that says how to go on without one. */
export async function backUpBeforeMigration(options: {
  config: Config;
  secrets: Secrets;
  version: string;
  log: Logger;
}): Promise<void> {
  const { config, log } = options;
  const { dir, recipients } = config.backups;
  const [{ createBackup }, { openBackupSource }, { nameBackup }, { lockBackups }] = await Promise.all([
    import('./create/create-backup.ts'),
    import('./create/open-source.ts'),
    import('./create/name-backup.ts'),
    import('./lock.ts'),
  ]);
  log.info('the schema of the database is of an older version: making a backup before it is changed');
  try {
    const lock = await lockBackups(config.data.dir);
    try {
      const { source, close } = await openBackupSource(options);
      try {
        const file = join(dir, nameBackup(new Date(), recipients));
        const { size } = await createBackup(source, {
          file,
          recipients,
          signal: new AbortController().signal,
        });
        log.info({ file, size }, 'backup made');
      } finally {
        await close();
      }
    } finally {
      await lock.release();
    }
  } catch (error) {
    log.error({ err: error }, 'the backup before the migration failed');
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The backup before the migration failed, and nothing was changed: ${reason} ` +
        'Make room, or name another folder in BACKUP_DIR; BACKUP_BEFORE_MIGRATION=false starts without a backup.',
      { cause: error },
    );
  }
}
