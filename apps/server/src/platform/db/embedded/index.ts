export { type BaseBackup, beginBaseBackup } from './base-backup.ts';
export { assertDatabaseFoldsCase } from './case-folding.ts';
export { isClusterPath } from './cluster-files.ts';
export type { Connection } from './connection.ts';
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  endAbandoned,
  findRunningPostgres,
  reachPostgres,
  startEmbeddedPostgres,
} from './embedded-postgres.ts';
export { EmbeddedDatabaseError } from './errors.ts';
export { findCluster, findDatabaseFolder, removeEmbeddedDatabase } from './install-directory.ts';
export { currentMajor, formerMajors, readClusterMajor } from './majors.ts';
export { keepReserve, measureClusterRoom, yieldReserve } from './reserve.ts';
export { prepareCluster, quietSession, quietSettings } from './restored-cluster.ts';
