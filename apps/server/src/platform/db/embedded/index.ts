export { type BaseBackup, beginBaseBackup } from './base-backup.ts';
export { assertDatabaseFoldsCase } from './case-folding.ts';
export { isClusterPath } from './cluster-files.ts';
export type { Connection } from './connection.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  reachPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
export { findCluster, removeEmbeddedDatabase } from './install-directory.ts';
export { keepReserve, measureClusterRoom, yieldReserve } from './reserve.ts';
export { prepareCluster, quietSession, quietSettings } from './restored-cluster.ts';
