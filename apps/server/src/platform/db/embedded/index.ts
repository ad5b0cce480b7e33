export { assertDatabaseFoldsCase, UnsuitableDatabaseError } from './case-folding.ts';
export type { Connection } from './connection.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
export { EmbeddedDatabaseError } from './errors.ts';
export { removeEmbeddedDatabase } from './home.ts';
