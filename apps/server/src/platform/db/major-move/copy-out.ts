import type { Logger } from '../../log.ts';
import { EmbeddedDatabaseError, quietSession, quietSettings } from '../embedded/index.ts';
import { listHolders } from './catalog.ts';
import { copyRows } from './copy-rows.ts';
import { withClient, withPostgres } from './open.ts';
import { restByOwner } from './rest.ts';
import { assertSameDigests, countRows, digestTables } from './transfer.ts';

export interface CopyOut {
  /** Of a server that stands still. */
  dataDir: string;
  /** Of its database. */
  password: string;
  /** Of an empty database, whose owner it names. */
  url: string;
  log: Logger;
  /** Told now and then how far it is. */
  progress: Pick<Logger, 'info'>;
}

export const copyOut = ({ dataDir, password, url, log, progress }: CopyOut) =>
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
      copyRows({ old: opened, made }, { log, progress, rest: restByOwner }),
    );
    assertSameDigests(digests, await digestTables(made.client, tables));
    return { tables: tables.length, rows: countRows(digests) };
  });
