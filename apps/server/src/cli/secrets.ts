import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { createSealedSecretsRepository } from '../platform/cluster/index.ts';
import { readConfig, withDatabase } from './with-database.ts';

/** For the way back to a file: all entries, those of later versions too. */
export async function exportSecrets(file: string): Promise<void> {
  const { key } = readConfig().secrets;
  if (!key) throw new Error('The secrets are in a file already: SECRETS_KEY is not set.');
  const path = resolve(file);
  await withDatabase(async (db) => {
    const stored = await createSealedSecretsRepository(db, key).read();
    await writeFile(path, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600, flag: 'wx' }).catch(
      (error: NodeJS.ErrnoException) => {
        throw new Error(
          error.code === 'EEXIST' ? `${path} is there already.` : `${path} cannot be written: ${error.code}.`,
        );
      },
    );
  });
  process.stdout.write(`Secrets: ${path}\n`);
}
