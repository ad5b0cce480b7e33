import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../../platform/log.ts';
import { type BackupSource, createBackup } from '../create/create-backup.ts';
import { encryptFor } from '../format/encryption.ts';
import { BackupError } from '../format/entry.ts';
import { lockBackups } from '../lock.ts';
import { openBackupFile } from '../restore/open-file.ts';
import { verifyBackup } from '../restore/verify-backup.ts';
import type { BackupPlace } from './places/place.ts';
import { createDigest, isStored } from './read-back.ts';

/** In the data folder, which holds the same secrets. */
const draftName = 'backup-draft.tar.gz';

/**
 * Makes a backup in the data folder, restores it for a moment, and only then brings it to its place, encrypted where there are
 * recipients, and reads it back from there. Resolves to its bytes.
 */
export async function runBackup(
  source: BackupSource,
  options: {
    name: string;
    place: BackupPlace;
    recipients: readonly string[];
    log: Logger;
    signal: AbortSignal;
  },
): Promise<number> {
  const { name, place, recipients, log, signal } = options;
  const { dataDir, version } = source;
  const draft = join(dataDir, draftName);
  // One that somebody makes or verifies by hand is waited for: it is no failure of this one.
  const lock = await lockBackups(dataDir, { untilFree: signal });
  try {
    // Of a server that was killed.
    await rm(draft, { force: true });
    await createBackup(source, { file: draft, recipients: [], signal });
    await verifyBackup(openBackupFile(draft, []), { folder: dataDir, version, log, signal });
    const written = createDigest();
    const content = createReadStream(draft, { highWaterMark: 256 * 1024 });
    await place.save(
      name,
      written.pass(recipients.length > 0 ? encryptFor(recipients, content) : content),
      signal,
    );
    const expected = { size: written.getSize(), sha256: written.get() };
    if (!(await isStored(await place.read(name), expected, signal))) {
      await place.remove(name);
      throw new BackupError('What was read back from where backups are kept is not what was written.');
    }
    return expected.size;
  } finally {
    await rm(draft, { force: true });
    await lock.release();
  }
}
