import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../preferences/storage.ts';

/**
 * Whether the user counts as logged in (spec, section 3: a persisted flag). The session itself is a cookie that
 * scripts cannot read, so the flag may be wrong; the first 401 corrects it.
 */
const storageName = 'isAuthorized';
const listeners = new Set<() => void>();

export function isAuthorized(): boolean {
  return readPreference(storageName) === 'true';
}

export function setAuthorized(value: boolean): void {
  if (isAuthorized() === value) return;
  writePreference(storageName, String(value));
  for (const listener of listeners) listener();
}

/** Also told of a login or logout in another tab. */
export function onAuthorizationChange(listener: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === storageName) listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

export function useIsAuthorized(): boolean {
  return useSyncExternalStore(onAuthorizationChange, isAuthorized);
}
