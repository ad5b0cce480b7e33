import type { IncomingMessage } from 'node:http';

/** Hosts by which a device may call itself: what a browser elsewhere could not reach anyway. */
const ownAddress =
  /^(localhost|\[::1\]|\[f[cde][0-9a-f:]*\]|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|169\.254\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|[^.:]+|[^:]+\.(local|lan|home|internal))$/i;

/** With a host that can be one: to read a long one takes square time (UTS 46). */
const absolute = /^(?:https?:)?\/\/[/\\]*[^/\\?#]{1,300}(?:[/\\?#]|$)/i;

/** Where a browser finds a device's web servers. */
export interface RedirectTargets {
  /** Of the interface that answers. */
  origin: string;
  /** By which the interface calls itself, where it was told another one. */
  ownOrigin?: string | undefined;
  /** The address that leads to this path of a named service; undefined where no service has that port. */
  linkToEndpoint?: (port: number, path: string) => string | undefined;
}

/**
 * A redirect to an address of the device's own, brought back to the tunnel's origin, or to where the named service on that
 * port is; any other as it is.
 */
export function rewriteLocation(
  location: string,
  { origin, ownOrigin = origin, linkToEndpoint }: RedirectTargets,
): string {
  if (!absolute.test(location) || !URL.canParse(location, origin)) return location;
  const url = new URL(location, origin);
  const own = [new URL(origin), new URL(ownOrigin)];
  const isOwn = ownAddress.test(url.hostname) || own.some(({ hostname }) => url.hostname === hostname);
  if (!isOwn) return location;
  const path = url.pathname + url.search + url.hash;
  const isElsewhere = url.port !== '' && !own.some(({ host }) => url.host === host);
  return (isElsewhere ? linkToEndpoint?.(Number(url.port), path) : undefined) ?? origin + path;
}

/** A device that leads from plain http to itself by https, for ever: it wants to be spoken to otherwise. */
export class HttpsWanted extends Error {
  override readonly name = 'HttpsWanted';
}

/**
 * Throws `HttpsWanted` for a redirect to https on the very path that was asked for, which the browser would follow for
 * ever: for it the tunnel is that address already. With a cookie it may be another answer the next time.
 */
export function refuseEndlessRedirect(
  { method, url }: IncomingMessage,
  { headers }: IncomingMessage,
  targets: RedirectTargets,
): void {
  const { location } = headers;
  if (location === undefined || !/^https:/i.test(location) || headers['set-cookie'] !== undefined) return;
  const isEndless = method === 'GET' && rewriteLocation(location, targets) === targets.origin + url;
  if (isEndless) throw new HttpsWanted();
}
