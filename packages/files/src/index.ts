/** A folder that one process holds, files that outlive a power cut, and room on the disk. */
export { type DiskSpace, measureDisk } from './disk-space.ts';
export { acquireLock, findLockOwner, type Lock, LockedError } from './lock.ts';
export { findOut, type ProcessIdentity, readOwnIdentity } from './process-identity.ts';
export { syncFolder, syncTree } from './sync-folder.ts';
export { writeDurably } from './write-durably.ts';
