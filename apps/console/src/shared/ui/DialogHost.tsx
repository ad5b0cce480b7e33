import { type ReactNode, useSyncExternalStore } from 'react';

let shown: ReactNode = null;
const listeners = new Set<() => void>();

/** Shows a dialog in place of the one before; null: none. */
export function showDialog(dialog: ReactNode): void {
  shown = dialog;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Where a dialog stands that is opened by a call. The code of a dialog comes with the page that calls it, not with the first load. */
export function DialogHost() {
  return useSyncExternalStore(subscribe, () => shown);
}
