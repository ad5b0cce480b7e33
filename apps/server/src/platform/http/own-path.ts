/**
 * A path of this very origin as a header may hold it; undefined for anything else: another address, or a path that a
 * browser would read as one (`//host`, also once its dots are resolved).
 */
export function readOwnPath(path: string | null, origin: string): string | undefined {
  if (path === null || !path.startsWith('/') || !URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined;
  return url.pathname + url.search + url.hash;
}
