import {
  copyDatabaseOut as copyOut,
  moveFormerDatabase as moveFormer,
  type Schema,
} from '@pult/embedded-postgres';
import type { Logger } from '../../log.ts';

type OfUs<Given> = Omit<Given, 'schema' | 'log'> & { log: Logger };

/** As `moveFormerDatabase` of the package, for a database with our tables. */
export const moveFormerDatabase = (options: OfUs<Parameters<typeof moveFormer>[0]>) =>
  moveFormer({ ...options, schema: createSchema(options.log) });

/** As `copyDatabaseOut` of the package, for a database with our tables. */
export const copyDatabaseOut = (options: OfUs<Parameters<typeof copyOut>[0]>) =>
  copyOut({ ...options, schema: createSchema(options.log) });

/** By our migrations and the queue's, as far as they were done to the old database. */
const createSchema = (log: Logger): Schema => ({
  librarySchema: 'graphile_worker',
  async create({ old, made }) {
    // A start that moves nothing loads the migrations later.
    const { connectDatabase } = await import('../connect.ts');
    const { migrateTo, readSchemaState } = await import('../migrate.ts');
    const from = connectDatabase(old, log, 1);
    const to = connectDatabase(made, log, 2);
    try {
      const { rows } = await from.pool.query(
        "select to_regnamespace('graphile_worker') is not null as there",
      );
      await migrateTo(to, log, { state: await readSchemaState(from.db), hasQueue: rows[0].there });
    } finally {
      await Promise.all([from.close(), to.close()]);
    }
  },
});
