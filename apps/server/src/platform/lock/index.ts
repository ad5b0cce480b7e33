export { acquireLock, findLockOwner, type Lock, LockedError } from './lock.ts';
export { findOut, type ProcessIdentity, readOwnIdentity } from './process-identity.ts';
