import { openTunnelRequest } from '@pult/contract';

/** Whether the API takes this as the path to come back to. */
export function isTunnelPath(path: string): boolean {
  return openTunnelRequest.safeParse({ path }).success;
}

/**
 * A path of this very origin as a header may hold it, `/` for anything else: another address, or a path that a
 * browser would read as one (`//host`, also once its dots are resolved).
 */
export function toTunnelPath(path: string | null, origin: string): string {
  if (path === null || !path.startsWith('/') || !URL.canParse(path, origin)) return '/';
  const url = new URL(path, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return '/';
  return url.pathname + url.search + url.hash;
}
