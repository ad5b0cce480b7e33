import { useSyncExternalStore } from 'react';

/**
 * Whether the server answers. Fed by every request; navigator.onLine is no help, as a local network without
 * internet counts as offline in some browsers.
 */
let reachable = true;
const listeners = new Set<() => void>();

export function setReachable(value: boolean): void {
  if (reachable === value) return;
  reachable = value;
  for (const listener of listeners) listener();
}

export function isReachable(): boolean {
  return reachable;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useIsReachable(): boolean {
  return useSyncExternalStore(subscribe, isReachable);
}

// A proxy answers these while the server behind it is away.
const gatewayStatuses = [502, 503, 504];

/** fetch that notes whether the server answered. */
export async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    // Looked up at each call, so that a replaced fetch is seen.
    const response = await globalThis.fetch(input, init);
    setReachable(!gatewayStatuses.includes(response.status));
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) setReachable(false);
    throw error;
  }
}
