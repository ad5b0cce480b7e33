import { useSyncExternalStore } from 'react';

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
