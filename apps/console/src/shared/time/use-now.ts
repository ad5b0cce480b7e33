import { useSyncExternalStore } from 'react';

const interval = 15_000;
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

// One timer for all the times of a page, and none while there are no times.
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) {
    now = Date.now();
    timer = setInterval(tick, interval);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) clearInterval(timer);
  };
}

/** The present to within a quarter of a minute, in milliseconds. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
