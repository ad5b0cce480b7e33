import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';

/** Of the place and the machine where the old database was made, or what names code that the new one may not have. */
const ownOfDatabase =
  /^(lc_|timezone$|log_timezone$|datestyle$|default_text_search_config$|dynamic_shared_memory_type$|.*_preload_libraries$|.*_file$|data_directory$)/i;

/** What our own options of its start are above is said not to be applied. */
async function readFileSettings(client: pg.Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ name: string; setting: string }>(
    `select name, setting from pg_file_settings
     where setting is not null and coalesce(error, 'setting could not be applied') = 'setting could not be applied' order by seqno`,
  );
  return new Map(rows.map(({ name, setting }) => [name, setting]));
}

/** What somebody has changed in postgresql.conf for a larger machine, as far as the new version knows it. */
export async function listCarriedSettings(old: pg.Client, made: pg.Client): Promise<[string, string][]> {
  const [before, now] = [await readFileSettings(old), await readFileSettings(made)];
  const { rows } = await made.query<{ name: string }>('select name from pg_settings');
  const known = new Set(rows.map(({ name }) => name));
  return [...before].filter(
    ([name, value]) => known.has(name) && now.get(name) !== value && !ownOfDatabase.test(name),
  );
}

/** Returns what takes them back. */
export async function carrySettings(
  cluster: string,
  settings: readonly [string, string][],
  major: string,
): Promise<() => Promise<void>> {
  const file = join(cluster, 'postgresql.conf');
  const before = await readFile(file);
  const lines = settings.map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  const head = `\n# As in the database of PostgreSQL ${major} that was moved here.\n`;
  await writeFile(file, settings.length > 0 ? `${before}${head}${lines.join('')}` : before, { flush: true });
  return () => writeFile(file, before, { flush: true });
}
