import { useSyncExternalStore } from 'react';

/** The one closable banner of the page: why the user has been sent here. Cleared before each navigation. */
export interface Banner {
  text: string;
}

let current: Banner | undefined;
const listeners = new Set<() => void>();

function set(banner: Banner | undefined): void {
  current = banner;
  for (const listener of listeners) listener();
}

export function showBanner(text: string): void {
  set({ text });
}

export function clearBanner(): void {
  if (current) set(undefined);
}

export function getBanner(): Banner | undefined {
  return current;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useBanner(): Banner | undefined {
  return useSyncExternalStore(subscribe, getBanner);
}
