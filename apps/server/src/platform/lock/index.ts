export { acquireLock, type Lock, LockedError } from './lock.ts';
