import type { IncomingHttpHeaders } from 'node:http';

/**
 * True when a page of our own made the request. `Origin` decides; where a browser sends none, `Sec-Fetch-Site`
 * does. Tunnel hosts are the same site but another origin, which is why the cookie's SameSite is not enough.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers.origin !== undefined) return headers.origin === publicUrl;
  return headers['sec-fetch-site'] === 'same-origin';
}

/** True when a page of another origin made the request; a client that is no browser says nothing of either. */
export function isForeignOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers.origin !== undefined) return headers.origin !== publicUrl;
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}
