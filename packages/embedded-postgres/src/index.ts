/** A PostgreSQL that comes with the program: run as long as that runs, and moved to newer major versions. */
export { type BaseBackup, beginBaseBackup } from './base-backup.ts';
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
export type { Log } from './log.ts';
export {
  copyDatabaseOut,
  estimateMove,
  moveFormerDatabase,
  removeRetainedLater,
  retainedOf,
  type Schema,
} from './major-move/index.ts';
export { currentMajor, formerMajors, readClusterMajor } from './majors.ts';
export { keepReserve, measureClusterRoom, yieldReserve } from './reserve.ts';
export { prepareCluster, quietSession, quietSettings } from './restored-cluster.ts';
