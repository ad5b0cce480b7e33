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

const createSchema = (log: Logger): Schema => ({
  // A start that moves nothing need not load the migrations first.
  create: async (databases) => (await import('./copy-schema.ts')).copySchema(databases, log),
  librarySchema: 'graphile_worker',
});
