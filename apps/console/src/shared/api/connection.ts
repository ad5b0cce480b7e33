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

/**
 * Whether the answer is a proxy's in the server's place. The server itself answers 503 in JSON while a store behind it is
 * down: taken for a server that is away, and then for one that is back, it would be asked for everything again and again.
 */
function isProxys({ status, headers }: Response): boolean {
  return gatewayStatuses.includes(status) && !/^application\/json\b/i.test(headers.get('content-type') ?? '');
}

/** fetch that notes whether the server answered. */
export async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    // Looked up at each call, so that a replaced fetch is seen.
    const response = await globalThis.fetch(input, init);
    setReachable(!isProxys(response));
    return response;
  } catch (error) {
    if (!init?.signal?.aborted) setReachable(false);
    throw error;
  }
}
