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

function isLink({ method, headers }: IncomingMessage): boolean {
  const { 'sec-fetch-mode': mode, 'sec-fetch-dest': destination, origin } = headers;
  return method === 'GET' && mode === 'navigate' && destination === 'document' && origin === undefined;
}

/** True when a page of another origin leads the browser here by a plain link, be it one that nobody has clicked on. */
export function isForeignLink(request: IncomingMessage, ownOrigin: string): boolean {
  return isForeignOrigin(request.headers, ownOrigin) && isLink(request);
}

/**
 * True when a page of another origin acts through this one, or shows it in a frame of its own; a plain link may lead
 * here. Sibling hosts are the same site to a browser, so cookies go along between them. A page with `Referrer-Policy: no-referrer` sends
 * its own forms with the origin `null` (Fetch, section 3.2); whose it is says `Sec-Fetch-Site` then, which no page can set.
 */
export function isForeignRequest(request: IncomingMessage, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === 'null' && site === 'same-origin') return false;
  return isForeignOrigin(request.headers, ownOrigin) && !isLink(request);
}

/** True when the browser says that a page of this very origin leads here, or a person: by the address bar or a bookmark. */
export function isOwnNavigation({ 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'none' || site === 'same-origin';
}
