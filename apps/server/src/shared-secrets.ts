import type { Config } from './config/config.ts';
import {
  type ChangeUpdateKey,
  changeAgentUpdateKey,
  completeEntries,
  readEntries,
  readEntriesFile,
  readSecrets,
  readSharedSecrets,
  type Secrets,
  withUpdateKey,
} from './config/secrets.ts';
import { createSealedSecretsRepository } from './platform/cluster/index.ts';
import type { Database } from './platform/db/schema.ts';
import type { Logger } from './platform/log.ts';

const place = 'sealed in the database';

/**
 * Those of the database, made by the first node that starts. One that had a file of its own brings that along: what it has encrypted
 * can be read on.
 */
export async function loadSealedSecrets(
  db: Database,
  { key, dataDir, log }: { key: Buffer; dataDir: string; log: Pick<Logger, 'warn'> },
): Promise<Secrets> {
  const own = await readEntriesFile(dataDir);
  const stored = await createSealedSecretsRepository(db, key).change((there) =>
    completeEntries(there ?? own ?? {}),
  );
  const secrets = readEntries(place, stored);
  if (own && own.encryptionKey !== stored.encryptionKey) {
    log.warn({ dataDir }, 'secrets.json of this node is not used: the database has other secrets');
  }
  return secrets;
}

/** Of a server that has been started before, wherever its settings keep them; writes nothing. Undefined where there are none. */
export async function findSecrets(
  { secrets: { file, key }, data }: Pick<Config, 'secrets' | 'data'>,
  openDatabase: () => Promise<Database>,
): Promise<Secrets | undefined> {
  if (file !== undefined) return readSharedSecrets(file);
  if (key === undefined) return readSecrets(data.dir);
  const stored = await createSealedSecretsRepository(await openDatabase(), key).read();
  return stored && readEntries(place, completeEntries(stored));
}

/** For the next start of all nodes. */
export async function changeUpdateKey(
  { secrets: { file, key }, data }: Pick<Config, 'secrets' | 'data'>,
  db: Database,
  change: ChangeUpdateKey,
): Promise<void> {
  if (file !== undefined) {
    throw new Error(
      `SECRETS_FILE ${file} is only read. Rotate the key with a copy of it as secrets.json in DATA_DIR, and give that file to all.`,
    );
  }
  if (key === undefined) return changeAgentUpdateKey(data.dir, change);
  await createSealedSecretsRepository(db, key).change((stored) => {
    if (stored?.agentUpdateKey === undefined)
      throw new Error('No server of this version has been started on this database yet. Start it once.');
    return withUpdateKey(place, stored, change);
  });
}
