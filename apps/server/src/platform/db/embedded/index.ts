export { assertDatabaseFoldsCase } from './case-folding.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
export { removeEmbeddedDatabase } from './install-directory.ts';
