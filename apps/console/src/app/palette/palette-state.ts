import { useSyncExternalStore } from 'react';
import { readPreference, writePreference } from '../../shared/preferences/storage.ts';

/** Whether the command palette is open: there is one on the page, and several ways to it. */
let opened = false;
const listeners = new Set<() => void>();

export function setPaletteOpened(value: boolean): void {
  if (opened === value) return;
  opened = value;
  for (const listener of listeners) listener();
}

export function isPaletteOpened(): boolean {
  return opened;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function usePaletteOpened(): boolean {
  return useSyncExternalStore(subscribe, isPaletteOpened);
}

/** What was typed before the palette was there to take it. */
export interface EarlyInput {
  text: string;
  /** Enter came behind it. */
  isEntered: boolean;
}

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

export const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** Ctrl+K, or ⌘K on a Mac, where Ctrl+K belongs to text fields; by its place on a keyboard of another alphabet. */
export function isPaletteShortcut({ key, code, ctrlKey, metaKey, altKey, shiftKey }: Pressed): boolean {
  const isModified = isMac ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  return isModified && !altKey && !shiftKey && (key.toLowerCase() === 'k' || code === 'KeyK');
}

/** Names of keys as they stand on the keyboard. */
export const keyNames = {
  palette: isMac ? '⌘ K' : 'Ctrl K',
} as const;

type Modifiers = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey'>;

/** What Enter is pressed with; of two at once the first counts. */
export const enterModifiers = {
  control: {
    keys: isMac ? '⌘ ↵' : 'Ctrl ↵',
    isPressed: ({ ctrlKey, metaKey }: Modifiers) => ctrlKey || metaKey,
  },
  alt: { keys: isMac ? '⌥ ↵' : 'Alt ↵', isPressed: ({ altKey }: Modifiers) => altKey },
} as const;

const storageName = 'recentControllers';
const keptRecent = 6;

/** Serial numbers by user: on a shared computer nobody sees what another has opened. */
type StoredRecent = Record<string, string[]>;

function readRecent(): StoredRecent {
  try {
    const stored: unknown = JSON.parse(readPreference(storageName) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    return Object.fromEntries(
      Object.entries(stored).map(([user, serials]) => [
        user,
        Array.isArray(serials)
          ? serials.filter((serial) => typeof serial === 'string').slice(0, keptRecent)
          : [],
      ]),
    );
  } catch {
    // Not ours, or damaged: nothing is remembered.
    return {};
  }
}

function writeRecent(userId: string, serials: string[]): void {
  // Of this user only: who logs in next starts anew.
  writePreference(storageName, JSON.stringify({ [userId]: serials.slice(0, keptRecent) }));
}

/** The controllers that the user has opened in this browser, the last one first. */
export function listRecent(userId: string): string[] {
  return readRecent()[userId] ?? [];
}

export function rememberRecent(userId: string, serialNumber: string): void {
  writeRecent(userId, [serialNumber, ...listRecent(userId).filter((serial) => serial !== serialNumber)]);
}

/** It is gone, or not the user's any more. */
export function forgetRecent(userId: string, serialNumber: string): void {
  writeRecent(
    userId,
    listRecent(userId).filter((serial) => serial !== serialNumber),
  );
}
