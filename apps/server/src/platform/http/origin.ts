import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * True when a page of our own made the request. `Origin` decides; where a browser sends none, `Sec-Fetch-Site`
 * does. Tunnel hosts are the same site but another origin, which is why the cookie's SameSite is not enough.
 */
export function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean {
  if (headers.origin !== undefined) return headers.origin === publicUrl;
  return headers['sec-fetch-site'] === 'same-origin';
}

/** True when a page of another origin made the request; a client that is no browser says nothing of either. */
export function isForeignOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (headers.origin !== undefined) return headers.origin !== ownOrigin;
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * True when a page of another origin acts through this one, or shows it in a frame of its own; a plain link may lead
 * here. Sibling hosts are the same site to a browser, so cookies go along between them. A page with `Referrer-Policy: no-referrer` sends
 * its own forms with the origin `null` (Fetch, section 3.2); whose it is says `Sec-Fetch-Site` then, which no page can set.
 */
export function isForeignRequest({ method, headers }: IncomingMessage, ownOrigin: string): boolean {
  if (!isForeignOrigin(headers, ownOrigin)) return false;
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin } = headers;
  if (origin === 'null' && headers['sec-fetch-site'] === 'same-origin') return false;
  const isLink = method === 'GET' && mode === 'navigate' && destination === 'document';
  return !(isLink && origin === undefined);
}
