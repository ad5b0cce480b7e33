import { readPreference, writePreference } from '../../shared/preferences/storage.ts';

const storageName = 'recentControllers';
const kept = 6;

/** Serial numbers by user: on a shared computer nobody sees what another has opened. */
type Stored = Record<string, string[]>;

function read(): Stored {
  try {
    const stored: unknown = JSON.parse(readPreference(storageName) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).map(([user, serials]) => [
        user,
        Array.isArray(serials) ? serials.filter((serial) => typeof serial === 'string').slice(0, kept) : [],
      ]),
    );
  } catch {
    // Not ours, or damaged: nothing is remembered.
    return {};
  }
}

function write(userId: string, serials: string[]): void {
  // Of this user only: who logs in next starts anew.
  writePreference(storageName, JSON.stringify({ [userId]: serials.slice(0, kept) }));
}

/** The controllers that the user has opened in this browser, the last one first. */
export function listRecent(userId: string): string[] {
  return read()[userId] ?? [];
}

export function rememberRecent(userId: string, serialNumber: string): void {
  write(userId, [serialNumber, ...listRecent(userId).filter((serial) => serial !== serialNumber)]);
}

/** It is gone, or not the user's any more. */
export function forgetRecent(userId: string, serialNumber: string): void {
  write(
    userId,
    listRecent(userId).filter((serial) => serial !== serialNumber),
  );
}
