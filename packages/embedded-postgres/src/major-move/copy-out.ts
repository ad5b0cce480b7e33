import { EmbeddedDatabaseError } from '../errors.ts';
import type { Log } from '../log.ts';
import { quietSession, quietSettings } from '../restored-cluster.ts';
import { listHolders } from './catalog.ts';
import { copyRows, type Schema } from './copy-rows.ts';
import { withClient, withPostgres } from './open.ts';
import { suspendByOwner } from './restore.ts';
import { assertSameDigests, countRows, digestTables } from './transfer.ts';

export interface CopyOut {
  /** Of a server that stands still. */
  dataDir: string;
  /** Of its database. */
  password: string;
  /** Of an empty database, whose owner it names. */
  url: string;
  schema: Schema;
  log: Log;
  /** Told now and then how far it is. */
  progress: Pick<Log, 'info'>;
}

export const copyOut = ({ dataDir, password, url, schema, log, progress }: CopyOut) =>
  withClient({ url }, async (made) => {
    const [there] = await listHolders(made.client);
    if (there) {
      throw new EmbeddedDatabaseError(
        `The database of DATABASE_URL is not empty: it has the ${there.kind} ${there.schema}.${there.name}. Name an empty one; ` +
          'after a copy that failed, make it anew.',
      );
    }
    const old = { dataDir, password, log, settings: quietSettings, sessionOptions: quietSession };
    const { tables, digests } = await withPostgres(old, (opened) =>
      copyRows({ old: opened, made }, { schema, log, progress, suspend: suspendByOwner }),
    );
    assertSameDigests(digests, await digestTables(made.client, tables));
    return { tables: tables.length, rows: countRows(digests) };
  });
