import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { currentMajor, readClusterMajor } from './majors.ts';
import { initialSettingsOf } from './settings.ts';

/**
 * What of a data directory makes the database: its relations, the state of its transactions, its log. Not its configuration, which
 * says who is let in and which programs are run, nor signal files and tablespaces: who writes a backup must not decide those.
 */
const patterns = [
  /^PG_VERSION$/,
  /^backup_label$/,
  /^global\/(pg_control|pg_filenode\.map)$/,
  /^base\/\d{1,10}\/(PG_VERSION|pg_filenode\.map)$/,
  /^(global|base\/\d{1,10})\/\d{1,10}(_(fsm|vm|init))?(\.\d{1,6})?$/,
  /^pg_(xact|commit_ts)\/[0-9A-F]{4,15}$/,
  /^pg_multixact\/(members|offsets)\/[0-9A-F]{4,15}$/,
  /^pg_wal\/[0-9A-F]{24}$/,
];

/** Whether a path in a data directory is of a file that backups carry. */
export const isClusterPath = (path: string) => patterns.some((pattern) => pattern.test(path));

/** Where such files are; `base` has a folder for each database. */
export const clusterFolders = [
  'global',
  'base',
  'pg_xact',
  'pg_commit_ts',
  'pg_multixact/members',
  'pg_multixact/offsets',
] as const;

/** Folders that PostgreSQL looks for and that are empty in a backup. */
const emptyFolders = [
  'pg_dynshmem',
  'pg_logical/mappings',
  'pg_logical/snapshots',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_tblspc',
  'pg_twophase',
  'pg_wal/archive_status',
  'pg_wal/summaries',
];

/** Makes what a data directory needs besides the files of a backup: folders, and a configuration of our own. */
export async function completeCluster(cluster: string): Promise<void> {
  for (const folder of [...clusterFolders, ...emptyFolders]) {
    await mkdir(join(cluster, folder), { recursive: true, mode: 0o700 });
  }
  const settings = Object.entries({
    ...initialSettingsOf((await readClusterMajor(cluster)) ?? currentMajor),
    default_text_search_config: "'pg_catalog.simple'",
  }).map(([name, value]) => `${name} = ${value.startsWith("'") ? value : `'${value}'`}\n`);
  const files = {
    'postgresql.conf': settings.join(''),
    'postgresql.auto.conf': '',
    'pg_hba.conf': 'local all all scram-sha-256\n',
    'pg_ident.conf': '',
  };
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(cluster, name), content, { mode: 0o600, flush: true });
  }
}
