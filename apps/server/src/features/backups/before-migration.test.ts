import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadConfig } from '../../config/config.ts';
import { readEnvironment } from '../../config/env.ts';
import { migrateDatabase, readSchemaState } from '../../platform/db/migrate.ts';
import { createInstallation, type Installation, log, version } from './backups.fixture.ts';
import { backUpBeforeMigration } from './before-migration.ts';

/** Of an earlier release. */
const schema = '0028-acme';
let installation: Installation;

beforeAll(async () => {
  installation = await createInstallation({ schema });
}, 120_000);
afterAll(() => installation.close());

/** As a start does it. */
function migrate(env: Record<string, string> = {}): Promise<void> {
  const { dataDir, secrets, database } = installation;
  const environment = readEnvironment({ env: { DATA_DIR: dataDir, ...env }, directory: null });
  const config = loadConfig(environment, { version });
  return migrateDatabase(database, log, {
    beforeChange: () => backUpBeforeMigration({ config, secrets, version, log }),
  });
}

it('a start whose backup before the migration fails changes nothing, and says how to go on', async () => {
  const file = installation.path('no-folder');
  await writeFile(file, '');
  await expect(migrate({ BACKUP_DIR: file })).rejects.toThrow(
    /^The backup before the migration failed, and nothing was changed: .*another folder in BACKUP_DIR; BACKUP_BEFORE_MIGRATION=false starts without a backup\.$/,
  );
  expect((await readSchemaState(installation.database.db)).current).toBe(schema);
});

it('a start makes a backup of the schema that it is about to change, once', async () => {
  await migrate();
  expect((await readSchemaState(installation.database.db)).pending).toEqual([]);
  await migrate();
  const folder = join(installation.dataDir, 'backups');
  const names = await readdir(folder);
  expect(names).toEqual([expect.stringMatching(/^pult-.*\.tar\.gz$/)]);
  const { manifest } = await installation.verify(join(folder, names[0] ?? ''));
  expect(manifest.schema).toBe(schema);
}, 120_000);
