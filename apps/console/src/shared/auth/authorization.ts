import { readPreference, writePreference } from '../preferences/storage.ts';

/**
 * Whether the user counts as logged in (spec-coverage: Auth state: isAuthorized flag, persisted). The session itself is a cookie that
 * scripts cannot read, so the flag may be wrong; the first 401 corrects it.
 */
const storageName = 'isAuthorized';
/** Written at each login: the flag alone stays as it is when one user follows another. */
const loginName = 'lastLoginAt';

export function isAuthorized(): boolean {
  return readPreference(storageName) === 'true';
}

export function setAuthorized(value: boolean): void {
  writePreference(storageName, String(value));
  if (value) writePreference(loginName, String(Date.now()));
}

/** Tells of a login or logout in another tab of the browser. */
export function onAuthorizedElsewhere(listener: () => void): void {
  window.addEventListener('storage', (event) => {
    if (event.key === storageName || event.key === loginName) listener();
  });
}
