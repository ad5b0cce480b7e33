import { isClusterPath } from '@pult/embedded-postgres';

/** First in a backup: what it is of, so that a reader can refuse it before the rest has come. */
export const headerPath = 'backup.json';
/** Last in a backup: what there is, with its digests. A file without it is no whole backup. */
export const manifestPath = 'manifest.json';

const databaseFolder = 'postgres/';

/** Where a file of the database is in a backup. */
export const databasePath = (path: string) => `${databaseFolder}${path}`;
export const secretsPath = 'data/secrets.json';
export const archivePath = (name: string) => `archives/${name}`;
/** Names of archives that stay in their bucket. */
export const bucketListPath = 'archives.json';

/** What an entry of a backup is; undefined for one that no backup of ours holds. */
export type PlaceOfEntry =
  | { kind: 'database'; path: string }
  | { kind: 'secrets' }
  | { kind: 'archive'; name: string }
  | { kind: 'bucket list' };

/** The only way from a name in a backup to a place on the disk: all that is not listed here is refused. */
export function placeOf(path: string): PlaceOfEntry | undefined {
  if (path === secretsPath) return { kind: 'secrets' };
  if (path === bucketListPath) return { kind: 'bucket list' };
  const [, name] = /^archives\/([a-z0-9-]{1,64})$/.exec(path) ?? [];
  if (name !== undefined) return { kind: 'archive', name };
  if (!path.startsWith(databaseFolder)) return undefined;
  const inside = path.slice(databaseFolder.length);
  return isClusterPath(inside) ? { kind: 'database', path: inside } : undefined;
}
